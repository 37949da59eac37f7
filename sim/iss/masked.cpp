// SPDX-License-Identifier: Apache-2.0

#include "masked.h"

#include <cinttypes>
#include <cstdio>

namespace foliot::iss {

void Masked::end() {
    if (opened_) {
        Longest &longest = longest_[stretch_.back()];
        if (stretch_.size() > longest.pcs.size()) longest = {hart_.devices.marker, stretch_};
    }
    opened_ = true;
    stretch_.clear();
}

std::string Masked::report() const {
    std::string out;
    char text[96];
    for (const auto &[last, longest] : longest_) {
        std::snprintf(text, sizeof text, "{\"instructions\":%zu,\"marker\":%" PRIu32 ",\"pcs\":[",
                      longest.pcs.size(), longest.marker);
        out += text;
        for (const uint32_t pc : longest.pcs) {
            std::snprintf(text, sizeof text, "%s%" PRIu32, out.back() == '[' ? "" : ",", pc);
            out += text;
        }
        out += "]}\n";
    }
    return out;
}

}  // namespace foliot::iss
