// SPDX-License-Identifier: Apache-2.0

#include "sweep.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "../options.h"

namespace foliot::iss {

struct ChildReport {
    char reason[16];
    char last_line[160];
    size_t length;
    bool line_ended;
    uint32_t pc;
};

namespace {

constexpr size_t shown_at_most = 20;
constexpr int crashed = 127;

std::string quoted(const std::string &text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c >= ' ' && c < 127 ? c : '?';
    }
    return out + "\"";
}

}  // namespace

Sweep::Sweep(const SweepOptions &options) : options_(options) {
    void *const shared = mmap(nullptr, sizeof(ChildReport), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw UsageError("no memory for a sweep");
    child_ = static_cast<ChildReport *>(shared);
}

Sweep::~Sweep() { munmap(child_, sizeof(ChildReport)); }

bool Sweep::marked(Hart &hart) {
    if (raised_) return false;  // it has had its interrupt
    const uint32_t marker = hart.devices.marker;
    const bool wanted = marker != 0 && (options_.marker == 0 || marker == options_.marker);
    if (wanted && !in_window_) n_ = 0;
    in_window_ = wanted;
    return in_window_;
}

bool Sweep::before(Hart &hart) {
    if (!hart.machine) return true;
    const uint64_t n = n_++;
    if (options_.at) {
        if (n != *options_.at) return true;
        raised_ = true;
        hart.devices.raise(options_.line);
        return false;
    }
    instructions_++;
    if (hart.interrupts_open() && hart.due_interrupt() == 0 &&
        n % options_.step == options_.first) {
        n_ = n;
        fork_child(hart);
        n_ = n + 1;
    }
    return !is_child_;
}

void Sweep::fork_child(Hart &hart) {
    std::memset(child_, 0, sizeof *child_);
    std::fflush(stdout);
    std::fflush(stderr);
    const pid_t child = fork();
    if (child < 0) throw UsageError(std::string("cannot fork: ") + std::strerror(errno));
    if (child == 0) {
        is_child_ = raised_ = true;
        hart.devices.raise(options_.line);
        return;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    tried_++;
    judge(status, n_, hart.pc, hart.devices.marker);
}

void Sweep::judge(int status, uint64_t n, uint32_t pc, uint32_t marker) {
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : crashed;
    if (code == 0) return;
    failures_++;
    if (shown_.size() == shown_at_most) return;
    shown_.push_back({n, marker, pc, code, code == crashed ? "crash" : child_->reason,
                      std::string(child_->last_line, child_->length)});
}

void Sweep::end_child(const Stop &stop, const Hart &hart) {
    std::snprintf(child_->reason, sizeof child_->reason, "%s", stop.reason);
    child_->pc = hart.pc;
    _exit(stop.status);
}

void Sweep::console(uint8_t byte) {
    if (byte == '\n') {
        child_->line_ended = true;
        return;
    }
    if (child_->line_ended) child_->length = 0;
    child_->line_ended = false;
    if (child_->length < sizeof child_->last_line) {
        child_->last_line[child_->length++] = static_cast<char>(byte);
    }
}

void Sweep::say(const char *text) {
    child_->length = 0;
    child_->line_ended = false;
    for (const char *c = text; *c != '\0' && *c != '\n'; c++) console(static_cast<uint8_t>(*c));
}

std::string Sweep::report() const {
    char text[256];
    std::snprintf(text, sizeof text,
                  "{\"type\":\"sweep\",\"instructions\":%" PRIu64 ",\"tried\":%" PRIu64
                  ",\"failed\":%" PRIu64 ",\"failures\":[",
                  instructions_, tried_, failures_);
    std::string out = text;
    for (const Failure &one : shown_) {
        std::snprintf(text, sizeof text,
                      "%s{\"marker\":%" PRIu32 ",\"n\":%" PRIu64 ",\"pc\":\"0x%08" PRIx32
                      "\",\"status\":%d,\"reason\":",
                      &one == shown_.data() ? "" : ",", one.marker, one.n, one.pc, one.status);
        out += text + quoted(one.reason) + ",\"last\":" + quoted(one.last_line) + "}";
    }
    return out + "]}";
}

}  // namespace foliot::iss
