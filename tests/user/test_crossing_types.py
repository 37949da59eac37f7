# SPDX-License-Identifier: Apache-2.0
"""What users write and what the kernel trusts are two types.

Each place that copies from or to user memory is found in the sources, and its type in the debug
information of an image. Of what is copied in, every part stands below, with the check that looks at
it before it is used or the reason why nobody believes it; what is copied out has no kernel pointer.
A new place, type or member fails until its author says which.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.command import ROOT
from support.crossing import (
    Place,
    Types,
    functions,
    leaves,
    opened,
    places,
    type_name,
    without_comments,
)

BOARD, CONF = "qemu_riscv32", "ipc,features"
BUILT = ROOT / "build" / "firmware" / BOARD / "tests-user-ipc-features"
POLL = "kernel/syscall/verify_poll.c"


@dataclass(frozen=True)
class Check:
    """Looks at a member: this text of that function, in the file of the copy."""

    function: str
    text: str


CREATE = "verify_user_thread_create_packed"
STACK = Check(CREATE, "stack = usable_stack(kept.stack, kept.size);")
OBJECT = Check("verify_event", "poll_signal(event->signal);")
IS_SENT = Check("take_in", "user_verify_readable(message.data, message.size);")
# A reason in place of a check: nobody believes it.
OWN_ENTRY = "where user mode begins, and with what: it is believed in user mode only"
WORD = "carried to whoever receives it"

# Each part of each struct that comes from user memory.
TRUSTED: dict[str, dict[str, Check | str]] = {
    "struct thread_create_args": {
        "thread": Check(CREATE, "block = usable_block(kept.thread);"),
        "stack": STACK,
        "size": STACK,
        "begins.entry": OWN_ENTRY,
        "begins.p1": OWN_ENTRY,
        "begins.p2": OWN_ENTRY,
        "begins.p3": OWN_ENTRY,
        "prio": Check(CREATE, "!is_permitted_prio(kept.prio)"),
        "options": Check(CREATE, "(kept.options & ~(uint32_t)K_INHERIT_PERMS) != K_USER"),
        "delay.ticks": Check(CREATE, "verify_timeout(kept.delay)"),
        "caller": "for the report of a refused call",
    },
    "struct k_ipc_message": {
        "words": WORD,
        "badge": "not read: the gate's is sent",
        "data": IS_SENT,
        "size": Check("take_in", "message.size > CONFIG_IPC_MESSAGE_MAX"),
        "capacity": Check("take_in", "user_verify_writable(message.data, message.capacity);"),
    },
    "struct asked": {
        "tag": "its user's own number",
        "type": Check("verify_event", "switch (event->type) {"),
        "state": "goes back to its user, with what became ready",
        "mode": Check("verify_event", "return event->mode == K_POLL_MODE_NOTIFY_ONLY;"),
        "object": OBJECT,
    },
}
# What a check of another function's needs: that it is asked before anything else is done.
ASKED = {
    "verify_event": Check(
        "verify_k_poll",
        "kept[i] = copy_event(events, i); result = verify_event(&kept[i]) ? 0 : -EINVAL;",
    ),
}

MESSAGE = "a message's or a pipe's bytes, which the kernel does not read"
# Bytes, and single numbers: what the kernel does with them.
BYTES = {
    ("message.c", "step", "(void *)passage->to"): MESSAGE,
    ("msgq_copy.c", "msgq_peek_at", "(char *)data + at"): MESSAGE,
    ("msgq_step.c", "copy_some", "is_out ? data : place"): MESSAGE,
    ("msgq_copy.h", "msgq_copy_masked", "to"): MESSAGE,
    ("pipe.c", "copy", "is_out ? data : ours"): MESSAGE,
    ("pipe.c", "copy_of", "to"): MESSAGE,
    ("user_pointer.c", "copy_step", "to"): MESSAGE,
    ("verify_data.c", "verify_k_msgq_put", "message"): MESSAGE,
    ("verify_data.c", "verify_k_msgq_put_front", "message"): MESSAGE,
    ("app_calls.c", "k_usermode_from_copy", "dst"): "an application's verifier checks its own",
    ("app_calls.c", "k_usermode_string_copy", "dst"): "an application's verifier checks its own",
    ("verify_thread.c", "verify_k_thread_name_set", "copy"): "a name, printed as it is",
    ("verify_atomic.c", "verify_k_atomic_update_", "&word"): "a user's number, computed with",
    ("verify_atomic.c", "verify_k_atomic_update_", "target"): "the way back of that number",
    ("verify_futex.c", "verify_k_futex_wait", "&value"): "compared with another number",
}
# Not in that image.
ELSEWHERE = {("views.c", "x86_64_call_pc", "&pc"): "an address for the report of a refused call"}
# Copied out, though it may be an address: it is the user's own.
OWN = {
    ("struct k_ipc_message", "words"): WORD,
    ("struct k_ipc_message", "badge"): "the gate's, which its maker chose for the server to see",
    ("struct k_ipc_message", "data"): "where it said itself that it receives",
    ("stack_data_t", ""): "what somebody pushed",
}
GIVEN = {  # bytes that go out
    ("verify_data.c", "hand_out", "message"): MESSAGE,
    ("verify_thread.c", "verify_k_thread_name_copy", "name"): "a name",
    ("app_calls.c", "k_usermode_to_copy", "src"): "an application's verifier gives its own",
}
# Without a copying function: all that is done while user memory is open to the kernel.
OPEN = {
    ("thread_facts.c", ("while (unused < thread->stack_size && (unsigned char)"
     "stack[unused] == STACK_FILL) { unused++; }")):
        "compared with the pattern of a stack, in that stack",
    ("object_table.h", ("index = CONFIG_USER_OBJECTS <= 256 ? *(const volatile uint8_t *)tag : "
     "*(const volatile uint32_t *)(tag & ~(uintptr_t)3) & UINT16_MAX;")):
        "modulo the table's size; the entry there has to lead back",
    ("fast_bytes.c", ("for (; from != words_end; from += sizeof(uintptr_t), to += "
     "sizeof(uintptr_t)) { *(volatile uintptr_t *)to = *(const volatile uintptr_t *)from; } "
     "for (; unlikely(from != end); from++, to++) { *(volatile uint8_t *)to = "
     "*(const volatile uint8_t *)from; }")): MESSAGE,
    ("fast_bytes.c", "copy_words(to->ipc.data, data, size);"): MESSAGE,
    ("verify_create.c", "*kept = *args;"): "the same type as the copy beside it",
    ("masked.c", "*(stack_data_t *)data = current->wake_data;"): "written, not read",
    ("fast.c", "*data = *--stack->next;"): "written, not read",
}  # fmt: skip


def sources() -> Iterator[Path]:
    """All that runs in kernel mode on a target; the host port is one process."""
    for part in ("kernel", "arch", "lib"):
        for path in sorted((ROOT / part).rglob("*.[ch]")):
            if "host" not in path.relative_to(ROOT).parts:
                yield path


def key(place: Place) -> tuple[str, str, str]:
    return place.file, place.function, place.side


def wrong_in(place: Place, types: Types) -> Iterator[str]:
    """What is copied in: each part of it is known."""
    kind = types.of(place)
    parts = list(leaves(kind))
    if type_name(kind).startswith(("struct", "union")):
        known = TRUSTED.get(type_name(kind), {})
        for part in parts:
            if part.path not in known:
                yield f"{place}: {part.kind} {part.path} of {type_name(kind)} is trusted by nobody"
        yield from (f"{type_name(kind)} has no {gone}"
                    for gone in known.keys() - {part.path for part in parts})  # fmt: skip
    elif key(place) not in BYTES or any(part.is_pointer for part in parts):
        yield f"{place}: {type_name(kind)} is copied in, and nobody says what for"


def wrong_out(place: Place, types: Types) -> Iterator[str]:
    """What is copied out: no address of the kernel's."""
    kind = types.of(place)
    name = type_name(kind)
    parts = list(leaves(kind))
    if name in {"void", "char"} and key(place) not in GIVEN:
        yield f"{place}: bytes are copied out, and nobody says which"
    for part in parts:
        may_lead = part.is_pointer or "ptr_t" in part.kind or part.kind == "stack_data_t"
        if may_lead and (name, part.path) not in OWN:
            yield f"{place}: {part.kind} {part.path} of {name} tells an address"


def wrong(file: str, text: str, types: Types) -> list[str]:
    """What is not as it should be in a source."""
    found = []
    for place in places(file, text):
        if key(place) in ELSEWHERE:
            continue
        if not types.has(place):
            found.append(f"{place} is in no image that this test builds")
        else:
            found += (wrong_out if place.is_out else wrong_in)(place, types)
    if "#define ARCH_USER_OPEN" not in text:
        found += [f"{file}: {function}() reads user memory: {what}"
                  for function, what in opened(text) if (file, what) not in OPEN]  # fmt: skip
    return found


def first_use(body: str, member: str) -> int:
    """Where a function first uses a member of its copy; to compare it or to clear it is no use."""
    name = re.escape(member.split(".", maxsplit=1)[0])
    for used in re.finditer(rf"\b(?:kept|message)\.{name}\b(?:\.\w+)*", body):
        before, behind = body[: used.start()], body[used.end() :]
        is_cleared = before.endswith(("; ", "{ ", "} ")) and behind.startswith(" = 0;")
        if not is_cleared and not behind.startswith(" != "):
            return used.start()
    return len(body)


def unchecked(text: str, kind: str) -> Iterator[str]:
    """The checks that the members of a type need, and a source does not have in time."""
    bodies = {name: " ".join(body.split()) for name, body in functions(without_comments(text))}
    for member, check in TRUSTED[kind].items():
        if isinstance(check, str):
            continue
        for one in filter(None, (check, ASKED.get(check.function))):
            body = bodies.get(one.function, "")
            at = body.find(one.text)
            if at < 0:
                yield f"{kind}: {member} is not looked at by {one.text}"
            elif first_use(body, member) < at:
                yield f"{kind}: {member} is used before it is looked at"


@pytest.fixture(scope="module")
def types(foliot) -> Types:
    done = foliot("build", "tests/user", "--board", BOARD, "--conf", CONF, "--quiet")
    assert done.returncode == 0, done.stderr
    return Types(BUILT / "firmware.elf")


@pytest.mark.board(BOARD)
def test_what_crosses_the_boundary_has_no_part_that_nobody_looks_at(types):
    found = [one for path in sources()
             for one in wrong(path.name, path.read_text(encoding="utf-8"), types)]  # fmt: skip
    assert found == []


FILES = {
    "struct thread_create_args": "kernel/syscall/verify_create.c",
    "struct k_ipc_message": "kernel/ipc/verify_ipc.c",
    "struct asked": POLL,
}


@pytest.mark.parametrize("kind", TRUSTED)
def test_each_part_is_looked_at_before_it_is_used(kind):
    text = (ROOT / FILES[kind]).read_text(encoding="utf-8")
    assert list(unchecked(text, kind)) == []


@pytest.mark.board(BOARD)
def test_each_line_of_the_lists_is_of_a_place_that_is_there(types):
    """A list that nobody needs any more would let in what comes there next."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in sources()}
    there = [place for file, text in texts.items() for place in places(file, text)]
    assert {*BYTES, *GIVEN, *ELSEWHERE} <= {key(place) for place in there}
    assert set(OPEN) <= {(file, what) for file, text in texts.items() for _, what in opened(text)}
    known = [place for place in there if types.has(place)]
    assert set(TRUSTED) <= {type_name(types.of(place)) for place in known if not place.is_out}
    assert {kind for kind, _ in OWN} <= {type_name(types.of(one)) for one in known if one.is_out}


# ---- the test of the test: what it is for fails ----


def built_with(text: str, where: Path) -> Types:
    """Compile that in place of verify_poll.c, as the image's is."""
    commands = json.loads((BUILT / "compile_commands.json").read_text(encoding="utf-8"))
    entry = next(one for one in commands if one["file"].endswith(POLL))
    source, made = where / "verify_poll.c", where / "verify_poll.elf"
    source.write_text(text, encoding="utf-8")
    words = [str(source) if word == entry["file"] else word
             for word in shlex.split(entry["command"])]  # fmt: skip
    words[words.index("-o") + 1] = str(made)
    words.remove("-c")  # linked by itself, since the reader knows no relocations of RISC-V's
    words += ["-nostdlib", "-Wl,--unresolved-symbols=ignore-all", "-Wl,--entry=0"]
    done = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True,
                          check=False, timeout=100)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return Types(made)


HEAD = """\
#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h"

"""
COPIES = {
    "as it was before": ("struct k_poll_event", ("poller", "struct k_poll_event * next")),
    "as a part of another": ("struct {\n\tstruct k_poll_event event;\n}", ("event.poller",)),
    "an object": ("struct k_sem", ("wait_q.head",)),
    "a pointer alone": (
        "struct k_thread *",
        ("struct k_thread *  of struct k_thread * is trusted by nobody",),
    ),
    "a number that nobody knows": ("size_t", ("size_t is copied in",)),
    "an array": ("struct k_poll_event", ("poller",)),
}


@pytest.mark.slow
@pytest.mark.board(BOARD)
@pytest.mark.usefixtures("types")
@pytest.mark.parametrize("name", COPIES)
def test_a_copied_struct_of_the_kernels_is_found(tmp_path, name):
    kind, said = COPIES[name]
    array = "[4]" if name == "an array" else ""
    text = f"""{HEAD}int verify_k_poll(struct k_poll_event *events, int num, k_timeout_t timeout);
int verify_k_poll(struct k_poll_event *events, int num, k_timeout_t timeout)
{{
	{kind} kept{array};

	user_copy_in(&kept{array and "[num]"}, events, sizeof(kept));
	return *(volatile const char *)(uintptr_t)&kept;
}}
"""
    found = "\n".join(wrong("verify_poll.c", text, built_with(text, tmp_path)))
    for part in said:
        assert part in found


@pytest.mark.slow
@pytest.mark.board(BOARD)
@pytest.mark.usefixtures("types")
def test_a_member_more_of_a_known_struct_is_found(tmp_path):
    text = (ROOT / POLL).read_text(encoding="utf-8")
    more = text.replace(
        "\tuintptr_t object;\n", "\tuintptr_t object;\n\tstruct k_poll_event *next;\n"
    )
    assert more != text
    assert wrong("verify_poll.c", text, built_with(text, tmp_path)) == []
    found = wrong("verify_poll.c", more, built_with(more, tmp_path))
    assert len(found) == 1
    assert "struct k_poll_event * next of struct asked is trusted by nobody" in found[0]


@pytest.mark.slow
@pytest.mark.board(BOARD)
@pytest.mark.usefixtures("types")
def test_an_address_that_is_told_and_memory_that_is_read_otherwise_are_found(tmp_path):
    text = f"""{HEAD}void verify_k_poll_signal_check(struct k_poll_signal *, unsigned int *, int *);
void verify_k_poll_signal_check(struct k_poll_signal *s, unsigned int *set, int *number)
{{
	struct k_poll_signal kept = *s;
	int next;

	user_copy_out(set, &kept, sizeof(kept));
	ARCH_USER_OPEN();
	next = *number;
	ARCH_USER_CLOSE();
	(void)next;
	user_copy_in((void *)(uintptr_t)s, number, 4);
}}
"""
    told, copied, read = wrong("verify_poll.c", text, built_with(text, tmp_path))
    assert "of struct k_poll_signal tells an address" in told
    assert "void is copied in, and nobody says what for" in copied
    assert read == "verify_poll.c: verify_k_poll_signal_check() reads user memory: next = *number;"


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [("struct k_ipc_message", "message.size > CONFIG_IPC_MESSAGE_MAX", "false"),
     ("struct k_ipc_message", "user_verify_writable(message.data, message.capacity);", ""),
     ("struct k_ipc_message", "\tif (message.size != 0) {",
      "\t*(char *)message.data = 0;\n\tif (message.size != 0) {"),
     ("struct thread_create_args", "block = usable_block(kept.thread);",
      "block = usable_block(args->thread);"),
     ("struct thread_create_args", "!is_permitted_prio(kept.prio)", "false"),
     ("struct asked", "result = verify_event(&kept[i]) ? 0 : -EINVAL;", ""),
     ("struct asked", "poll_signal(event->signal);", "")],
)  # fmt: skip
def test_a_check_that_is_gone_or_late_is_found(kind, old, new):
    text = (ROOT / FILES[kind]).read_text(encoding="utf-8")
    assert old in text
    assert list(unchecked(text.replace(old, new), kind))
