# SPDX-License-Identifier: Apache-2.0
"""`foliot report`: runs as one page that can be read, printed and sent anywhere.

content.py turns runs into what is to be said of them; charts.py, sketch.py and tables.py
draw it; page.html.j2, style.css and script.js are the page, which holds everything itself.
"""
