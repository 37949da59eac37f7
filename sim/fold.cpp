// SPDX-License-Identifier: Apache-2.0

#include "fold.h"

#include <algorithm>
#include <cinttypes>
#include <fstream>
#include <sstream>

namespace foliot {

namespace {

constexpr uint32_t c_ret = 0x8082, ret = 0x00008067, mret = 0x30200073, wfi = 0x10500073;
constexpr uint32_t ra = 1;
constexpr int call_of_user = 8;  // the number of an exception

// jal or jalr that writes ra, of either size.
bool is_call(const Retired &line) {
    if (line.compressed) {
        const bool c_jal = (line.insn & 0xe003) == 0x2001;
        const bool c_jalr = (line.insn & 0xf07f) == 0x9002 && (line.insn & 0xf80) != 0;
        return c_jal || c_jalr;
    }
    const uint32_t opcode = line.insn & 0x7f;
    return (opcode == 0x6f || opcode == 0x67) && (line.insn >> 7 & 31) == ra;
}

bool is_return(const Retired &line) { return line.insn == (line.compressed ? c_ret : ret); }

bool is_wfi(const Retired &line) { return !line.compressed && line.insn == wfi; }

bool is_mret(const Retired &line) { return !line.compressed && line.insn == mret; }

}  // namespace

void InstructionFold::take(const Retired &line) {
    const auto took =
        static_cast<uint32_t>(std::min<uint64_t>(line.cycle - line.previous_cycle, UINT32_MAX));
    encodings_[line.pc] = line.insn;
    ++steps_[Key{previous_.pc, line.pc, took, static_cast<uint32_t>(line.event)}];
    follow_edges(line.cycle);
    if (line.event != Retired::no_event) follow_trap(line);
    else if (is_return(previous_) || is_mret(previous_)) follow_return(line);
    else if (is_call(previous_)) {
        if (under_way_.empty()) log_.clear();
        under_way_.push_back({line.pc, previous_.pc + (previous_.compressed ? 2U : 4U), line.sp,
                              previous_.cycle, false, log_.size(), !is_masked_});
        if (trap_ && handlers_.count(line.pc) != 0) {
            if (handlers_.count(trap_->entry) != 0) trap_.reset();
            else trap_->entry = line.pc;
        }
    }
    if (!under_way_.empty() && faults_.count(line.pc) != 0) under_way_.clear();
    if (!asked_.empty() && !under_way_.empty()) log_.push_back({line.pc, took});
    if (!loops_.empty()) follow_loop(line);
    if (!within_.empty() && within_.count(line.pc) != 0) {
        for (const Call &call : under_way_) ++found_within_[Key{line.pc, call.entry}];
    }
    if (is_mret(line)) {
        if (trap_) add(*trap_, end_mret, line.cycle);
        if (trap_) under_way_.clear();
        trap_.reset();
    }
    previous_ = line;
}

// What was under way is disturbed, and so is a trap by another one within it.
void InstructionFold::follow_trap(const Retired &line) {
    if (line.event == call_of_user && !trap_) {
        for (Call &call : under_way_) call.of_user = true;
        return;
    }
    ++others_;
    under_way_.clear();
    trap_.reset();
    if (masked_ && !is_wfi(previous_)) {
        trap_ = Call{line.pc, 0, 0, line.previous_cycle, false, 0, false};
    }
}

void InstructionFold::follow_loop(const Retired &line) {
    const auto found = loops_.find(line.pc);
    if (found == loops_.end()) return;
    Loop &loop = found->second;
    if (line.event != Retired::no_event || is_mret(previous_)) {
        loop.rounds.erase(line.sp);
        return;
    }
    const bool returned = loop.back_by_return && is_return(previous_);
    if (!returned && loop.back.count(previous_.pc) == 0) {
        loop.rounds[line.sp] = {0, others_};
        ++loop.count;
        return;
    }
    const auto known = loop.rounds.find(line.sp);
    if (known == loop.rounds.end()) return;
    if (known->second.others != others_) loop.rounds.erase(known);
    else loop.max = std::max(loop.max, ++known->second.count);
}

void InstructionFold::read_loops(const std::string &path) {
    std::ifstream lines(path);
    if (!lines) throw UsageError(path + " can't be read");
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        uint32_t header = 0, back = 0;
        words >> std::hex >> header;
        Loop &loop = loops_[header];
        while (words >> back) {
            if (back == 0) loop.back_by_return = true;
            else loop.back.insert(back);
        }
    }
}

void InstructionFold::add(const Call &call, End end, uint64_t now) {
    const auto kind = static_cast<uint32_t>(end) + (call.of_user ? end_of_user : 0U);
    const Key key{call.entry, kind};
    const bool is_longest = calls_[key].add(now - call.begin, call.begin);
    if (!is_longest || asked_.count(call.entry) == 0) return;
    auto &path = paths_[key];
    path.clear();
    for (size_t i = call.logged; i < log_.size(); ++i) {
        Ran &ran = path[log_[i].pc];
        ran.clocks += log_[i].took;
        ++ran.count;
    }
}

void InstructionFold::follow_return(const Retired &line) {
    if (under_way_.empty()) {
        ++others_;
        return;
    }
    const auto is_back = [&line](const Call &call) {
        return call.back == line.pc && call.sp == line.sp;
    };
    if (!is_back(under_way_.back())) {
        leave_all(end_switch);
        return;
    }
    const Call call = under_way_.back();
    under_way_.pop_back();
    if (is_masked_) add_masked(call, previous_.cycle);
    add(call, end_return, previous_.cycle);
}

void InstructionFold::leave_all(End end) {
    ++others_;
    for (const Call &call : under_way_) {
        if (is_masked_) add_masked(call, previous_.cycle);
        add(call, end, previous_.cycle);
    }
    if (trap_) add(*trap_, end, previous_.cycle);
    trap_.reset();
    under_way_.clear();
}

// What was masked and opened by the instructions that have left before this clock.
void InstructionFold::follow_edges(uint64_t before) {
    size_t done = 0;
    for (; done < edges_.size() && edges_[done].at < before; ++done) {
        const Edge &edge = edges_[done];
        is_masked_ = edge.masks;
        if (edge.masks) {
            masked_at_ = edge.at;
            continue;
        }
        for (const Call &call : under_way_) add_masked(call, edge.at);
    }
    edges_.erase(edges_.begin(), edges_.begin() + static_cast<std::ptrdiff_t>(done));
}

void InstructionFold::add_masked(const Call &call, uint64_t now) {
    if (!call.is_open || masked_at_ < call.begin) return;
    const auto kind = static_cast<uint32_t>(end_masked) + (call.of_user ? end_of_user : 0U);
    calls_[Key{call.entry, kind}].add(now - masked_at_, masked_at_);
}

void InstructionFold::close() {
    take_held();
    std::FILE *const out = file_.stream();
    for (const auto &[pc, encoding] : encodings_) {
        std::fprintf(out, "insn %08" PRIx32 " %" PRIx32 "\n", pc, encoding);
    }
    for (const auto &[key, count] : steps_) {
        std::fprintf(out, "step %08" PRIx32 " %08" PRIx32 " %" PRIu32 " ", key[0], key[1], key[2]);
        const int event = static_cast<int>(key[3]);
        if (event == Retired::no_event) std::fputc('-', out);
        else std::fprintf(out, "%c%d", event & 0x80 ? 'i' : 'e', event & 0x1f);
        std::fprintf(out, " %" PRIu64 "\n", count);
    }
    const char *const ends[] = {"return",  "switch",  "mret", "masked",
                                "return+", "switch+", "",     "masked+"};
    for (const auto &[key, told] : calls_) {
        std::fprintf(out, "call %08" PRIx32 " %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", key[0],
                     ends[key[1]], told.max, told.at, told.count);
    }
    for (const auto &[key, count] : found_within_) {
        std::fprintf(out, "within %08" PRIx32 " %08" PRIx32 " %" PRIu64 "\n", key[0], key[1],
                     count);
    }
    for (const auto &[header, loop] : loops_) {
        if (loop.count != 0) {
            std::fprintf(out, "loop %08" PRIx32 " %" PRIu64 " %" PRIu64 "\n", header, loop.max,
                         loop.count);
        }
    }
    for (const auto &[key, path] : paths_) {
        for (const auto &[pc, ran] : path) {
            std::fprintf(out, "path %08" PRIx32 " %s %08" PRIx32 " %" PRIu64 " %" PRIu64 "\n",
                         key[0], ends[key[1]], pc, ran.clocks, ran.count);
        }
    }
    file_.close();
}

}  // namespace foliot
