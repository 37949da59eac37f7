// SPDX-License-Identifier: Apache-2.0

#include "gdb_link.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "options.h"

namespace foliot {

namespace {

constexpr int gone = -1;
constexpr char interrupt_byte = 3;

uint8_t checksum(std::string_view text) {
    uint8_t sum = 0;
    for (const char c : text) sum += static_cast<uint8_t>(c);
    return sum;
}

// A socket that listens on that port of this host, and nowhere else.
int listen_on(uint16_t port) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 ||
        listen(listener, 1) != 0) {
        const int error = errno;
        close(listener);
        throw UsageError("--gdb " + std::to_string(port) + ": " + std::strerror(error));
    }
    return listener;
}

uint16_t port_of(int listener) {
    sockaddr_in address = {};
    socklen_t length = sizeof address;
    getsockname(listener, reinterpret_cast<sockaddr *>(&address), &length);
    return ntohs(address.sin_port);
}

}  // namespace

GdbLink::GdbLink(uint16_t port) {
    const int listener = listen_on(port);
    std::fprintf(stderr, "@sim {\"type\":\"gdb\",\"port\":%u}\n", port_of(listener));
    do {
        socket_ = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    } while (socket_ < 0 && errno == EINTR);
    const int error = errno;
    close(listener);
    if (socket_ < 0) throw UsageError(std::string("--gdb: ") + std::strerror(error));
    const int yes = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

GdbLink::~GdbLink() {
    if (socket_ >= 0) close(socket_);
}

int GdbLink::next_byte() {
    if (next_ == received_.size()) {
        char bytes[4096];
        ssize_t length;
        do {
            length = recv(socket_, bytes, sizeof bytes, 0);
        } while (length < 0 && errno == EINTR);
        if (length <= 0) return gone;
        received_.assign(bytes, static_cast<size_t>(length));
        next_ = 0;
    }
    return static_cast<uint8_t>(received_[next_++]);
}

std::optional<std::string> GdbLink::receive() {
    for (;;) {
        int c = next_byte();
        if (c == gone) return std::nullopt;
        if (c != '$') continue;  // an acknowledgement, or an interrupt of what has stopped anyway
        std::string text;
        while ((c = next_byte()) != '#') {
            if (c == gone) return std::nullopt;
            text.push_back(static_cast<char>(c));
        }
        const int high = next_byte();
        const int low = next_byte();
        if (high == gone || low == gone) return std::nullopt;
        if (!acknowledge_) return text;
        const char digits[3] = {static_cast<char>(high), static_cast<char>(low), 0};
        const bool good = std::strtoul(digits, nullptr, 16) == checksum(text);
        send_bytes(good ? "+" : "-");
        if (good) return text;
    }
}

bool GdbLink::interrupted() {
    char bytes[256];
    const ssize_t length = recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
    if (length == 0) return true;
    if (length < 0) return errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
    received_.erase(0, next_).append(bytes, static_cast<size_t>(length));
    next_ = 0;
    return received_.find(interrupt_byte) != std::string::npos;
}

void GdbLink::send(const std::string &text) {
    char end[4];
    std::snprintf(end, sizeof end, "#%02x", checksum(text));
    send_bytes("$" + text + end);
}

void GdbLink::send_bytes(const std::string &bytes) {
    for (size_t sent = 0; sent < bytes.size();) {
        const ssize_t length =
            ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0) return;  // the next receive() finds out
        sent += static_cast<size_t>(length);
    }
}

}  // namespace foliot
