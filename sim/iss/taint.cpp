// SPDX-License-Identifier: Apache-2.0

#include "taint.h"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "../options.h"

namespace foliot::iss {

namespace {

constexpr unsigned deepest = 6;          // of values that are made of others
constexpr unsigned first_argument = 10;  // a0 is x10
constexpr size_t checks_at_once = 32;
constexpr uint32_t csr_mscratch = 0x340, csr_mepc = 0x341, csr_mcause = 0x342, csr_mtval = 0x343;

std::string text(const char *format, ...) {
    char out[512];
    va_list list;
    va_start(list, format);
    std::vsnprintf(out, sizeof out, format, list);
    va_end(list);
    return out;
}

bool contains(const std::vector<Range> &ranges, uint32_t pc) {
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), pc,
                                        [](uint32_t at, const Range &r) { return at < r.low; });
    return after != ranges.begin() && pc < std::prev(after)->end;
}

void sort(std::vector<Range> &ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](const Range &a, const Range &b) { return a.low < b.low; });
}

}  // namespace

Taint::Taint(Hart &hart, const std::string &table, bool all)
    : hart_(hart),
      bytes_(hart.ram_bytes),
      writers_(hart.ram_bytes / 4),
      origins_(origins),
      all_(all) {
    read_table(table);
}

//// The table

void Taint::read_table(const std::string &path) {
    std::ifstream file(path);
    std::string line;
    if (!file) throw UsageError(path + ": cannot be read");
    while (std::getline(file, line)) {
        try {
            read_line(line);
        } catch (const std::invalid_argument &) {
            throw UsageError(path + ": not a table of checks: " + line);
        }
    }
    sort(functions_);
    sort(untrusted_);
    sort(loops_);
}

// function LOW END NAME | foreign LOW END | bounded LOW END NAME | compare LOW END KIND NAME |
// table LOW END OF_LOW OF_END |
// sizes ADDRESS COUNT | reserved BYTES | check ADDRESS PASSES NAME {HOW ARGUMENT SECOND}...
void Taint::read_line(const std::string &line) {
    std::istringstream words(line);
    std::string kind, name, how;
    uint32_t low = 0, end = 0;
    words >> kind >> std::hex >> low;
    if (kind == "check") {
        Check check;
        words >> how >> check.name;
        using Passes = Check::Passes;
        check.passes = how == "returns"   ? Passes::returns
                       : how == "nonzero" ? Passes::nonzero
                       : how == "zero"    ? Passes::zero
                                          : Passes::not_negative;
        static const std::unordered_map<std::string, Clearing::How> hows = {
            {"object", Clearing::How::object}, {"object_of", Clearing::How::object_of},
            {"bytes", Clearing::How::bytes},   {"at", Clearing::How::at},
            {"stack", Clearing::How::stack},   {"index", Clearing::How::index},
            {"length", Clearing::How::length}, {"below", Clearing::How::below},
            {"within", Clearing::How::within},
        };
        Clearing clearing{};
        while (words >> how >> clearing.argument >> clearing.second) {
            if (hows.count(how) == 0) throw std::invalid_argument(how);
            clearing.how = hows.at(how);
            check.clearings.push_back(clearing);
        }
        counts_[check.name] = 0;
        checks_[low] = check;
        return;
    }
    if (kind == "reserved") {
        reserved_ = low;
        return;
    }
    words >> end;
    if (!words) throw std::invalid_argument(line);
    if (kind == "sizes") sizes_ = low, size_count_ = end;
    else if (kind == "foreign") untrusted_.push_back({low, end, ""});
    else if (kind == "function" && words >> name) functions_.push_back({low, end, name});
    else if (kind == "bounded" && words >> name) loops_.push_back({low, end, name});
    else if (kind == "table") {
        Range constants{};
        words >> constants.low >> constants.end;
        tables_.push_back({{low, end, ""}, constants});
    } else if (kind == "compare" && words >> how >> name) {
        const uint8_t kinds = how == "index" ? kind_index | kind_length : kind_length;
        compares_.push_back({{low, end, name}, kinds});
        counts_[name] += 0;
    } else throw std::invalid_argument(line);
}

std::string Taint::counts() const {
    std::string out;
    for (const auto &[name, times] : counts_) out += name + " " + std::to_string(times) + "\n";
    return out;
}

//// Values

Mark Taint::fresh(uint32_t where, uint32_t pc) {
    const Mark mark = next_++;
    origins_[mark % origins] = {mark, where, pc, hart_.devices.cycle};
    return mark;
}

// A value made of two others is each of them, and neither alone; one of very many is nobody's in
// particular.
Mark Taint::join(Mark a, Mark b) {
    if (a == 0 || a == many || b == many) return a == 0 ? b : many;
    const auto known = joined_.find(uint64_t{a} << 32 | b);
    if (known != joined_.end()) return known->second;
    Mark mark = 0;
    const unsigned depth = 1 + std::max(depth_of(a), depth_of(b));
    if (holds(b, a)) mark = b;
    else if (holds(a, b)) mark = a;
    else if (depth > deepest) mark = many;
    else {
        mark = made_of_two | next_++;
        parents_[mark] = {a, b, depth};
        origins_[mark % origins] = {mark, 0, hart_.pc, hart_.devices.cycle};
    }
    joined_[uint64_t{a} << 32 | b] = mark;
    return mark;
}

unsigned Taint::depth_of(Mark mark) const {
    return (mark & made_of_two) == 0 ? 0 : parents_.at(mark).depth;
}

bool Taint::holds(Mark whole, Mark part) const {
    if (whole == part) return true;
    if ((whole & made_of_two) == 0) return false;
    const auto found = parents_.find(whole);
    return found != parents_.end() &&
           (holds(found->second.a, part) || holds(found->second.b, part));
}

void Taint::clear(Mark mark, Cleared cleared) {
    std::vector<Cleared> &all = cleared_[mark];
    for (const Cleared &one : all) {
        if (one.kinds == cleared.kinds && one.low == cleared.low && one.last == cleared.last)
            return;
    }
    all.push_back(cleared);
}

bool Taint::has_kind(Mark mark, uint8_t kinds) const {
    if (mark == 0) return true;
    const auto found = cleared_.find(mark);
    if (found != cleared_.end()) {
        for (const Cleared &one : found->second) {
            if ((one.kinds & kinds) != 0) return true;
        }
    }
    const auto made = parents_.find(mark);
    if (made == parents_.end()) return false;
    return has_kind(made->second.a, kinds) && has_kind(made->second.b, kinds);
}

// Where any part of it was found to lie there, or all of it to be an index.
bool Taint::may_be_address(Mark mark, uint32_t low, uint32_t last, unsigned depth) const {
    const auto found = cleared_.find(mark);
    if (found != cleared_.end()) {
        for (const Cleared &one : found->second) {
            if (one.kinds == kind_address && low >= one.low && last <= one.last) return true;
        }
    }
    const auto made = parents_.find(mark);
    if (made != parents_.end() && (may_be_address(made->second.a, low, last, depth + 1) ||
                                   may_be_address(made->second.b, low, last, depth + 1))) {
        return true;
    }
    return depth == 0 && has_kind(mark, kind_index);
}

//// What instructions do

bool Taint::is_untrusted(uint32_t pc) const { return contains(untrusted_, pc); }

void Taint::use_address(unsigned rs, uint32_t address, unsigned bytes, bool is_store) {
    if (user_ || may_be_address(marks_[rs], address, address + bytes - 1)) return;
    if (is_untrusted(hart_.pc)) return;
    for (const auto &[range, constants] : tables_) {
        if (hart_.pc >= range.low && hart_.pc < range.end && !is_store &&
            address >= constants.low && address + bytes <= constants.end) {
            return;
        }
    }
    found(is_store ? "a store's address" : "a load's address", rs, address);
}

bool Taint::user_may_write(uint32_t address) {
    if (windows_of_ != hart_.pmp.changes()) {
        windows_of_ = hart_.pmp.changes();
        user_windows_.clear();
        uint64_t at = ram_address;
        while (at < uint64_t{ram_address} + hart_.ram_bytes) {
            const Window window = hart_.pmp.window(static_cast<uint32_t>(at), Access::store, false);
            if (window.allowed) {
                user_windows_.push_back({static_cast<uint32_t>(at), window.last, ""});
            }
            at = uint64_t{window.last} + 1;
        }
    }
    for (const Range &window : user_windows_) {
        if (address >= window.low && address <= window.end) return true;
    }
    return false;
}

void Taint::loaded(unsigned rd, uint32_t address, unsigned bytes) {
    if (user_) return;
    marks_[rd] = 0;
    if (!hart_.in_ram(address, bytes)) return;
    const Mark *const from = &bytes_[address - ram_address];
    Mark all = 0;
    bool by_user_now = false;
    for (unsigned i = 0; i < bytes; i++) {
        by_user_now |= from[i] == by_user;
        if (from[i] > by_user && from[i] != all) all = all == 0 ? from[i] : join(all, from[i]);
    }
    if (!by_user_now && all == 0 && !user_may_write(address)) return;
    if (is_untrusted(hart_.pc)) return;
    if (by_user_now || user_may_write(address)) {
        const Mark mark = fresh(address, hart_.pc);
        all = all == 0 ? mark : join(all, mark);
    }
    marks_[rd] = all;
}

void Taint::stored(unsigned rs, uint32_t address, unsigned bytes) {
    const uint32_t offset = address - ram_address;
    const Mark mark = user_ ? by_user : marks_[rs];
    for (unsigned i = 0; i < bytes; i++) bytes_[offset + i] = mark;
    if (user_) writers_[offset / 4] = hart_.pc;
}

void Taint::jump(unsigned rs, uint32_t to, bool calls) {
    if (user_) return;
    if (is_untrusted(hart_.pc)) {
        if (!is_untrusted(to)) believe();
    } else if (marks_[rs] != 0) {
        found("a jump's target", rs, to);
    }
    jumps_[jump_++ % history] = hart_.pc;
    const auto check = checks_.find(to);
    if (check == checks_.end()) return;
    // A tail call returns where its caller would have.
    Frame frame{&check->second, hart_.x[1], hart_.x[2], {}, {}, 0};
    if (calls) frame.back = hart_.pc + hart_.code[(hart_.pc - ram_address) / 2].length;
    for (unsigned i = 0; i < 8; i++) {
        frame.marks[i] = marks_[first_argument + i];
        frame.values[i] = hart_.x[first_argument + i];
    }
    if (checking_.size() == checks_at_once) checking_.erase(checking_.begin());
    checking_.push_back(frame);
}

// What an application's own code passes to the kernel, or gives back to it, is its word.
void Taint::believe() {
    for (unsigned i = 0; i < 8; i++) marks_[first_argument + i] = 0;
}

// A check is done where it returns on its own stack; other threads may have run meanwhile. One
// whose thread was ended in it never returns: another life of that thread comes by the same places.
void Taint::at_return(uint32_t pc) {
    if (user_) return;
    const Mark result = marks_[first_argument];
    const auto returns = [&](size_t i) {
        return checking_[i].back == pc && checking_[i].sp == hart_.x[2];
    };
    size_t i = checking_.size();
    while (i > 0 && !returns(i - 1)) i--;
    while (i-- > 0 && returns(i)) {  // and who called it last of all returns here, too
        const Frame frame = checking_[i];
        checking_.erase(checking_.begin() + static_cast<std::ptrdiff_t>(i));
        pass(frame, result);
    }
}

void Taint::look(Mark mark) {
    for (Frame &frame : checking_) {
        for (unsigned i = 0; i < 8; i++) {
            if (frame.marks[i] != 0 && holds(mark, frame.marks[i])) frame.looked |= 1u << i;
        }
    }
}

void Taint::pass(const Frame &frame, Mark returned) {
    const uint32_t result = hart_.x[first_argument];
    Frame seen = frame;
    // It may return how it compared, and have branched nowhere.
    for (unsigned i = 0; i < 8; i++) {
        if (result <= 1 && frame.marks[i] != 0 && holds(returned, frame.marks[i])) {
            seen.looked |= 1u << i;
        }
    }
    const Check &check = *frame.check;
    const bool passes =
        check.passes == Check::Passes::returns ||
        (check.passes == Check::Passes::nonzero && result != 0) ||
        (check.passes == Check::Passes::zero && result == 0) ||
        (check.passes == Check::Passes::not_negative && static_cast<int32_t>(result) >= 0);
    if (check.passes != Check::Passes::returns) marks_[first_argument] = 0;
    if (!passes) return;
    for (const Clearing &clearing : check.clearings) {
        using How = Clearing::How;
        const bool is_below = clearing.how == How::below && result < clearing.second;
        const bool is_within =
            clearing.how == How::within && result >= clearing.argument && result < clearing.second;
        if (clearing.how != How::below && clearing.how != How::within) {
            clear_argument(seen, clearing);
        } else if (returned != 0 && (is_below || is_within)) {
            marks_[first_argument] = 0;  // no more than one of few
            counts_[check.name]++;
        }
    }
}

uint32_t Taint::object_size(uint32_t kind) const {
    if (kind >= size_count_) return 0;
    uint16_t size = 0;
    std::memcpy(&size, &hart_.ram[sizes_ + 2 * kind - ram_address], sizeof size);
    return size;
}

void Taint::clear_argument(const Frame &frame, const Clearing &clearing) {
    using How = Clearing::How;
    const unsigned n = clearing.argument;
    const Mark mark = frame.marks[n];
    if (mark == 0 || (frame.looked >> n & 1) == 0) return;  // it never looked there
    const uint32_t value = frame.values[n];
    const uint32_t second = clearing.second < 8 ? frame.values[clearing.second] : 0;
    counts_[frame.check->name]++;
    switch (clearing.how) {
        case How::object: {
            const uint32_t size = object_size(second & 0x1F);
            if (size != 0) clear(mark, {kind_address, value, value + size - 1});
            break;
        }
        case How::object_of: {
            const uint32_t size = object_size(clearing.second);
            if (size != 0) clear(mark, {kind_address, value, value + size - 1});
            break;
        }
        case How::bytes:
            if (second != 0) clear(mark, {kind_address, value, value + second - 1});
            break;
        case How::at: {
            const uint32_t tag = (value + second) & ~3u;
            clear(mark, {kind_address, tag, tag + 3});
            break;
        }
        case How::stack:
            clear(mark, {kind_address, value, value + reserved_ + second - 1});
            break;
        case How::index:
            clear(mark, {kind_index | kind_length, 0, 0});
            break;
        case How::length:
            clear(mark, {kind_length, 0, 0});
            break;
        case How::below:
        case How::within:
            break;
    }
}

// Of a comparison that found a marked value to be below one that has no mark, or is an index.
void Taint::compare_clears(unsigned a, unsigned b, const Decoded &d, bool taken) {
    for (const auto &[range, kinds] : compares_) {
        if (hart_.pc < range.low || hart_.pc >= range.end) continue;
        const bool a_below = (d.op == Op::bltu && taken) || (d.op == Op::bgeu && !taken) ||
                             (d.op == Op::blt && taken) || (d.op == Op::bge && !taken);
        const bool b_not_above = (d.op == Op::bgeu && taken) || (d.op == Op::bltu && !taken) ||
                                 (d.op == Op::bge && taken) || (d.op == Op::blt && !taken);
        const bool equal = (d.op == Op::beq && taken) || (d.op == Op::bne && !taken);
        Mark mark = 0;
        if (has_kind(marks_[b], kind_index) && (a_below || equal)) mark = marks_[a];
        if (has_kind(marks_[a], kind_index) && (b_not_above || equal)) mark = marks_[b];
        if (mark == 0) continue;
        clear(mark, {kinds, 0, 0});
        counts_[range.name]++;
    }
}

void Taint::compared(unsigned a, unsigned b, const Decoded &d, bool taken) {
    if (user_) return;
    if (!checking_.empty()) {
        look(marks_[a]);
        look(marks_[b]);
    }
    compare_clears(a, b, d, taken);
    if (!taken || d.imm >= 0) return;
    // A place that a check has found may be where a loop ends.
    constexpr uint8_t bounded = kind_length | kind_address;
    const unsigned which = has_kind(marks_[a], bounded) ? b : a;
    if (has_kind(marks_[which], bounded)) return;
    if (is_untrusted(hart_.pc) || contains(loops_, hart_.pc)) return;
    // Code that is seldom needed lies in front, too: it is a loop where it comes back here.
    const Round last = rounds_[hart_.pc], now{hart_.x[2], stay_};
    rounds_[hart_.pc] = now;
    if (last.sp == now.sp && last.stay == now.stay) {
        found("the length of a loop", which, hart_.x[which]);
    }
}

void Taint::csr(unsigned rd, unsigned rs, uint32_t number, bool writes) {
    if (user_) return;
    Mark *const kept = number == csr_mscratch ? &scratch_
                       : number == csr_mepc   ? &epc_
                       : number == csr_mtval  ? &value_
                                              : nullptr;
    const Mark written = marks_[rs], old = kept ? *kept : 0;
    if (writes && kept) *kept = written;
    if (writes && !kept && number != csr_mcause && written != 0 &&
        !has_kind(written, kind_address | kind_index | kind_length) && !is_untrusted(hart_.pc)) {
        found(text("control register 0x%03x", number), rs, hart_.x[rs]);
    }
    marks_[rd] = old;
}

void Taint::trapped(bool from_user) {
    stay_++;
    epc_ = value_ = 0;
    if (!from_user) return;
    user_ = false;
    call_pc_ = hart_.mepc();
    call_number_ = hart_.x[17];
    for (unsigned i = 1; i < 32; i++) marks_[i] = fresh(i, call_pc_);
    epc_ = fresh(32, call_pc_);
    value_ = fresh(33, call_pc_);
}

// What user mode goes on with is its own.
void Taint::returned(bool to_user) {
    stay_++;
    if (!to_user) {
        if (epc_ != 0 && !is_untrusted(hart_.pc) && !has_kind(epc_, kind_address)) {
            marks_[0] = epc_;
            found("where an mret goes in machine mode", 0, hart_.pc);
        }
        return;
    }
    user_ = true;
    marks_.fill(0);
}

//// What is said

std::string Taint::function_of(uint32_t pc) const {
    const auto after = std::upper_bound(functions_.begin(), functions_.end(), pc,
                                        [](uint32_t at, const Range &r) { return at < r.low; });
    if (after == functions_.begin()) return text("0x%08x", pc);
    const Range &function = *std::prev(after);
    return text("0x%08x %s+0x%x", pc, function.name.c_str(), pc - function.low);
}

std::string Taint::origin_of(Mark mark, unsigned depth) const {
    const auto made = parents_.find(mark);
    if (made != parents_.end() && depth < 4) {
        return origin_of(made->second.a, depth + 1) + "\n" + origin_of(made->second.b, depth + 1);
    }
    if (mark == many) return "  from very many values";
    const Origin &origin = origins_[mark % origins];
    if (origin.mark != mark) return "  from user mode, long ago";
    if (origin.where == 0) return "  from others";
    if (origin.where < 32) {
        return text("  from x%u of user mode, at its trap at %s, clock %" PRIu64, origin.where,
                    function_of(origin.pc).c_str(), origin.cycle);
    }
    if (origin.where < 34) return text("  from a trap's %s", origin.where == 32 ? "pc" : "value");
    const uint32_t writer = writers_[(origin.where - ram_address) / 4];
    return text("  from 0x%08x, loaded at %s, clock %" PRIu64, origin.where,
                function_of(origin.pc).c_str(), origin.cycle) +
           (writer != 0 ? ",\n  stored by user mode at " + function_of(writer)
                        : ",\n  which user mode may write");
}

void Taint::found(const std::string &what, unsigned rs, uint32_t value) {
    const std::string reg = rs == 0 ? "mepc" : "x" + std::to_string(rs);
    if (places_[hart_.pc]++ != 0) return;
    std::string out = what + " is user mode's and unchecked: " + reg +
                      text(" makes 0x%08x", value) + "\n  at " + function_of(hart_.pc) +
                      text(", clock %" PRIu64, hart_.devices.cycle) + "\n" + origin_of(marks_[rs]) +
                      "\n  in the kernel since the trap at " + function_of(call_pc_) +
                      text(", a7 %u\n  by way of", call_number_);
    for (size_t i = 0; i < history && i < jump_; i++) {
        out += "\n    " + function_of(jumps_[(jump_ - 1 - i) % history]);
    }
    if (!all_) throw TaintFound(out);
    std::fprintf(stderr, "iss: %s\n", out.c_str());
}

}  // namespace foliot::iss
