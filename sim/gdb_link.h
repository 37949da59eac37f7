// SPDX-License-Identifier: Apache-2.0
//
// Packets of gdb's remote serial protocol over a TCP connection of this host: $text#checksum, each
// acknowledged until both sides agree not to. What packets mean is gdb.cpp's business.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace foliot {

class GdbLink {
  public:
    // Listens on `port` of 127.0.0.1 only (0: a free one), says on standard error which, and waits
    // for the debugger. Throws UsageError where the port can't be had.
    explicit GdbLink(uint16_t port);
    GdbLink(const GdbLink &) = delete;
    GdbLink &operator=(const GdbLink &) = delete;
    ~GdbLink();

    // Waits for the next packet; nothing once the connection is gone.
    std::optional<std::string> receive();

    // Has the debugger asked to interrupt the program, or gone? Does not wait.
    bool interrupted();

    void send(const std::string &text);

    // From the next packet on.
    void stop_acknowledging() { acknowledge_ = false; }

  private:
    int next_byte();
    void send_bytes(const std::string &bytes);

    int socket_ = -1;
    std::string received_;  // bytes that nobody has asked for yet, from position next_
    size_t next_ = 0;
    bool acknowledge_ = true;
};

}  // namespace foliot
