// SPDX-License-Identifier: Apache-2.0

#include "gdb.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "Vsoc___024root.h"
#include "memory_map.h"

namespace foliot {

namespace {

constexpr unsigned pc_number = 32;
constexpr unsigned first_control = 33;
constexpr unsigned poll_clocks = 4096;  // an interrupt is looked for that often: every 3 ms
constexpr size_t packet_size = 0x4000;
const char *const invalid = "E16";      // EINVAL
const char *const bad_address = "E0e";  // EFAULT

std::string hex_word(uint32_t value) {  // in the target's byte order
    char text[9];
    std::snprintf(text, sizeof text, "%02x%02x%02x%02x", value & 0xff, (value >> 8) & 0xff,
                  (value >> 16) & 0xff, value >> 24);
    return text;
}

std::string hex_bytes(const uint8_t *bytes, size_t count) {
    std::string hex(2 * count, '0');
    const char *const digits = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        hex[2 * i] = digits[bytes[i] >> 4];
        hex[2 * i + 1] = digits[bytes[i] & 15];
    }
    return hex;
}

// The bytes of `hex` in order; nothing where it is none.
std::optional<std::vector<uint8_t>> from_hex(const std::string &hex) {
    std::vector<uint8_t> bytes;
    if (hex.size() % 2 != 0) return std::nullopt;
    for (size_t i = 0; i < hex.size(); i += 2) {
        unsigned byte = 0;
        if (std::sscanf(&hex[i], "%2x", &byte) != 1) return std::nullopt;
        bytes.push_back(static_cast<uint8_t>(byte));
    }
    return bytes;
}

uint32_t word_at(const std::vector<uint8_t> &bytes, size_t index) {
    uint32_t word = 0;
    std::memcpy(&word, &bytes[index * 4], sizeof word);
    return word;
}

bool begins(const std::string &text, const char *with) { return text.rfind(with, 0) == 0; }

std::string target_description() {
    std::string xml =
        "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
        "<target version=\"1.0\"><architecture>riscv:rv32</architecture>"
        "<feature name=\"org.gnu.gdb.riscv.cpu\">";
    const char *const names[] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                 "fp",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                 "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                 "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    for (const char *name : names) {
        xml += std::string("<reg name=\"") + name + "\" bitsize=\"32\" type=\"int\"/>";
    }
    xml +=
        "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\"/></feature>"
        "<feature name=\"org.gnu.gdb.riscv.csr\">";
    for (unsigned i = 0; i < control_register_count; i++) {
        xml += std::string("<reg name=\"") + control_registers[i].name +
               "\" bitsize=\"32\" regnum=\"" + std::to_string(first_control + i) +
               "\" save-restore=\"no\"/>";
    }
    return xml + "</feature></target>";
}

}  // namespace

GdbStub::GdbStub(uint16_t port, Vsoc &soc, uint8_t *ram, uint32_t ram_bytes)
    : link_(port), soc_(soc), core_(soc), ram_(ram), ram_bytes_(ram_bytes) {}

// The access of this clock comes last: it is made by the instruction that a stop is in front of.
std::optional<Stop> GdbStub::look() {
    look_at_interrupts();
    const auto stop = stop_if_due();
    if (!watchpoints_.empty()) look_at_access();
    return stop;
}

std::optional<Stop> GdbStub::stop_if_due() {
    if (++clocks_ % poll_clocks == 0 && link_.interrupted()) interrupted_ = true;
    const bool boundary = core_.at_boundary();
    if (!boundary && !(interrupted_ && soc_.asleep_o)) return std::nullopt;
    if (boundary && redo_ && redo_finished()) return std::nullopt;
    const auto reason = reason_to_stop(boundary);
    if (!reason) return std::nullopt;
    std::fflush(stdout);
    stepping_ = interrupted_ = false;
    hit_.reset();
    movable_ = boundary;
    last_stop_ = *reason;
    if (connected_) link_.send(last_stop_);  // the first stop is told when it is asked for
    connected_ = true;
    if (converse() == Next::kill) return Stop{"killed", 5};
    return std::nullopt;
}

void GdbStub::look_at_interrupts() {
    const uint32_t now = core_.raised();
    if (now == raised_) return;
    for (unsigned line = 0; line < 32; line++) {
        if (((now & ~raised_) >> line) & 1) raised_at_[line] = soc_.cycle_o;
    }
    raised_ = now;
}

// An access is made in one clock only, by the instruction in execution; the run stops behind it.
void GdbStub::look_at_access() {
    const auto &root = *soc_.rootp;
    if (!root.soc__DOT__data_gnt || hit_) return;
    const bool write = root.soc__DOT__we != 0;
    const uint32_t word = root.soc__DOT__data_addr & ~3U;
    for (const Watchpoint &point : watchpoints_) {
        if (point.type == (write ? '3' : '2')) continue;
        if (point.address >= word + 4 || point.address + point.length <= word) continue;
        const char *const kinds[] = {"watch", "rwatch", "awatch"};
        char text[40];
        std::snprintf(text, sizeof text, "T05%s:%" PRIx32 ";", kinds[point.type - '2'],
                      point.address);
        hit_ = text;
        return;
    }
}

// The jump has been executed, or an interrupt came before it. Returns whether the core now stands
// where it was to be brought to, which is no stop of its own.
bool GdbStub::redo_finished() {
    for (const auto &[number, written] : redo_registers_) core_.write(number, written);
    redo_registers_.clear();
    const bool arrived = core_.pc() == *redo_;
    redo_.reset();
    return arrived;
}

std::optional<std::string> GdbStub::reason_to_stop(bool boundary) {
    if (interrupted_) return "S02";
    if (hit_) return hit_;
    if (boundary && (stepping_ || breakpoints_.count(core_.pc()) != 0)) return "S05";
    return std::nullopt;
}

void GdbStub::ended(const Stop &stop) {
    if (detached_) return;
    std::fflush(stdout);
    const bool by_itself = std::strcmp(stop.reason, "finisher") == 0;
    const bool killed = std::strcmp(stop.reason, "killed") == 0;
    if (!by_itself && !killed) {
        movable_ = false;
        last_stop_ = std::strcmp(stop.reason, "limit") == 0 ? "S18" : "S0b";  // XCPU, SEGV
        link_.send(last_stop_);
        if (converse() == Next::kill || detached_) return;
    }
    char text[8];
    std::snprintf(text, sizeof text, "W%02x", stop.status);
    if (!killed) link_.send(text);
}

GdbStub::Next GdbStub::converse() {
    for (;;) {
        const auto packet = link_.receive();
        if (!packet) return Next::kill;
        const Next next = answer(*packet);
        if (next == Next::resume) resume();
        if (next != Next::wait) return next;
    }
}

void GdbStub::resume() {
    if (redo_) core_.jump(*redo_);
}

GdbStub::Next GdbStub::answer(const std::string &packet) {
    const char kind = packet.empty() ? 0 : packet[0];
    if (kind == 'c' || kind == 's' || begins(packet, "vCont;")) return run(packet);
    if (kind == 'k') return Next::kill;
    std::string reply;
    switch (kind) {
        case '?':
            reply = last_stop_;
            break;
        case 'g':
            reply = registers();
            break;
        case 'G':
            reply = set_registers(packet.substr(1));
            break;
        case 'p':
            reply = read_register(packet);
            break;
        case 'P':
            reply = write_register(packet);
            break;
        case 'm':
            reply = read_memory(packet);
            break;
        case 'M':
            reply = write_memory(packet, false);
            break;
        case 'X':
            reply = write_memory(packet, true);
            break;
        case 'Z':
        case 'z':
            reply = set_point(packet);
            break;
        case 'H':
        case 'T':
        case 'D':
            reply = "OK";
            break;
        default:
            reply = query(packet);
            break;
    }
    link_.send(reply);
    if (packet == "QStartNoAckMode") link_.stop_acknowledging();
    if (kind != 'D') return Next::wait;
    detached_ = true;
    return Next::resume;
}

std::string GdbStub::query(const std::string &packet) {
    if (begins(packet, "qSupported")) {
        char size[24];
        std::snprintf(size, sizeof size, "PacketSize=%zx", packet_size);
        return std::string(size) + ";qXfer:features:read+;QStartNoAckMode+;vContSupported+";
    }
    if (packet == "vCont?") return "vCont;c;C;s;S";
    if (packet == "QStartNoAckMode") return "OK";
    if (begins(packet, "qAttached")) return "0";  // it has no life without its debugger
    if (packet == "qC") return "QC1";
    if (packet == "qfThreadInfo") return "m1";
    if (packet == "qsThreadInfo") return "l";
    if (begins(packet, "qRcmd,")) return monitor(packet.substr(6));
    const char *const wanted = "qXfer:features:read:target.xml:";
    if (!begins(packet, wanted)) return "";  // in this protocol: not supported
    static const std::string description = target_description();
    unsigned from = 0, length = 0;
    if (std::sscanf(packet.c_str() + std::strlen(wanted), "%x,%x", &from, &length) != 2) {
        return invalid;
    }
    if (from >= description.size()) return "l";
    const bool last = from + length >= description.size();
    return (last ? "l" : "m") + description.substr(from, length);
}

// `monitor irq`: a line each that is raised: its number, and the clock in which that began.
std::string GdbStub::raised_interrupts() const {
    std::string said;
    for (unsigned line = 0; line < 32; line++) {
        if (((raised_ >> line) & 1) == 0) continue;
        said += std::to_string(line) + " " + std::to_string(raised_at_[line]) + "\n";
    }
    return said.empty() ? "none\n" : said;
}

// `monitor cycle`: the number of the clock, which no register of the core says.
std::string GdbStub::monitor(const std::string &hex) const {
    const auto bytes = from_hex(hex);
    const std::string command = bytes ? std::string(bytes->begin(), bytes->end()) : "";
    std::string said = "known: monitor cycle, monitor irq\n";
    if (command == "cycle") said = std::to_string(soc_.cycle_o) + "\n";
    if (command == "irq") said = raised_interrupts();
    return hex_bytes(reinterpret_cast<const uint8_t *>(said.data()), said.size());
}

// c, s, or vCont with an action; signals and other addresses than pc have no meaning here.
GdbStub::Next GdbStub::run(const std::string &packet) {
    const bool continued = packet[0] == 'v';
    const char action = packet[continued ? std::strlen("vCont;") : 0];
    const bool plain = continued || packet.size() == 1;
    if (!plain || std::strchr("cCsS", action) == nullptr) {
        link_.send(invalid);
        return Next::wait;
    }
    stepping_ = action == 's' || action == 'S';
    return Next::resume;
}

uint32_t GdbStub::value(unsigned number) const {
    if (number == pc_number) return redo_ ? *redo_ : core_.pc();
    const auto written = redo_registers_.find(number);
    return written != redo_registers_.end() ? written->second : core_.read(number);
}

std::string GdbStub::registers() const {
    std::string reply;
    for (unsigned number = 0; number <= pc_number; number++) reply += hex_word(value(number));
    return reply;
}

bool GdbStub::write_value(unsigned number, uint32_t wanted) {
    if (value(number) == wanted) return true;
    if (number == 0 || number > pc_number) return false;
    if (number != pc_number && core_.write(number, wanted)) return true;
    const uint32_t target = number == pc_number ? wanted : value(pc_number);
    if (!movable_ || !core_.can_jump(target)) return false;
    redo_ = target;
    if (number != pc_number) redo_registers_[number] = wanted;
    return true;
}

std::string GdbStub::set_registers(const std::string &hex) {
    const auto bytes = from_hex(hex);
    if (!bytes || bytes->size() < 4 * (pc_number + 1)) return invalid;
    bool fine = true;
    for (unsigned number = 1; number <= pc_number; number++) {
        fine = write_value(number, word_at(*bytes, number)) && fine;
    }
    return fine ? "OK" : invalid;
}

std::string GdbStub::read_register(const std::string &packet) const {
    const auto number = static_cast<unsigned>(std::strtoul(&packet[1], nullptr, 16));
    if (number <= pc_number) return hex_word(value(number));
    const unsigned control = number - first_control;
    if (control >= control_register_count) return invalid;
    return hex_word(control_registers[control].read(soc_));
}

std::string GdbStub::write_register(const std::string &packet) {
    const size_t equals = packet.find('=');
    if (equals == std::string::npos) return invalid;
    const auto number = static_cast<unsigned>(std::strtoul(&packet[1], nullptr, 16));
    const auto bytes = from_hex(packet.substr(equals + 1));
    if (!bytes || bytes->size() != 4 || number > pc_number) return invalid;
    return write_value(number, word_at(*bytes, 0)) ? "OK" : invalid;
}

std::string GdbStub::read_memory(const std::string &packet) const {
    uint32_t address = 0, length = 0;
    if (std::sscanf(packet.c_str(), "m%x,%x", &address, &length) != 2) return invalid;
    const uint32_t from = address - ram_address;
    if (from >= ram_bytes_) return bad_address;
    length = std::min<uint32_t>({length, ram_bytes_ - from, packet_size / 2});
    return hex_bytes(ram_ + from, length);
}

// The core may have fetched what is written behind pc already: a jump there fetches it anew.
std::string GdbStub::write_memory(const std::string &packet, bool binary) {
    uint32_t address = 0, length = 0;
    const size_t colon = packet.find(':');
    if (colon == std::string::npos || std::sscanf(&packet[1], "%x,%x", &address, &length) != 2) {
        return invalid;
    }
    std::vector<uint8_t> bytes;
    if (binary) {
        for (size_t i = colon + 1; i < packet.size(); i++) {
            const bool escaped = packet[i] == '}' && i + 1 < packet.size();
            bytes.push_back(static_cast<uint8_t>(escaped ? packet[++i] ^ 0x20 : packet[i]));
        }
    } else if (const auto decoded = from_hex(packet.substr(colon + 1))) {
        bytes = *decoded;
    }
    if (bytes.size() != length) return invalid;
    const uint32_t from = address - ram_address;
    if (length == 0) return "OK";
    if (from >= ram_bytes_ || length > ram_bytes_ - from) return bad_address;
    std::memcpy(ram_ + from, bytes.data(), length);
    const uint32_t ahead = value(pc_number);
    if (movable_ && address < ahead + 64 && ahead < address + length && !redo_) redo_ = ahead;
    return "OK";
}

std::string GdbStub::set_point(const std::string &packet) {
    uint32_t address = 0, length = 0;
    char type = 0;
    if (std::sscanf(&packet[1], "%c,%x,%x", &type, &address, &length) != 3) return invalid;
    const bool set = packet[0] == 'Z';
    if (type == '0' || type == '1') {
        if (set) breakpoints_.insert(address);
        else breakpoints_.erase(address);
    } else if (type >= '2' && type <= '4') {
        if (set) watchpoints_.insert({type, address, length});
        else watchpoints_.erase({type, address, length});
    } else {
        return "";
    }
    return "OK";
}

}  // namespace foliot
