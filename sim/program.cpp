// SPDX-License-Identifier: Apache-2.0

#include "program.h"

#include <elf.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "memory_map.h"
#include "options.h"

namespace foliot {

namespace {

std::string hex(uint64_t value) {
    char text[19];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

std::vector<uint8_t> read_file(const std::string &path) {
    std::error_code error;
    const uintmax_t size = std::filesystem::file_size(path, error);
    if (error) throw UsageError(path + ": " + error.message());
    std::vector<uint8_t> bytes(size);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(size))) {
        throw UsageError(path + ": cannot be read");
    }
    return bytes;
}

// The header as far as a loader trusts it.
Elf32_Ehdr checked_header(const std::string &path, const std::vector<uint8_t> &file) {
    Elf32_Ehdr header;
    if (file.size() < sizeof header || std::memcmp(file.data(), ELFMAG, SELFMAG) != 0) {
        throw UsageError(path + ": not an ELF file");
    }
    std::memcpy(&header, file.data(), sizeof header);
    if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != EM_RISCV || header.e_type != ET_EXEC) {
        throw UsageError(path + ": not a 32-bit RISC-V executable");
    }
    const uint64_t table_end =
        uint64_t{header.e_phoff} + uint64_t{header.e_phnum} * sizeof(Elf32_Phdr);
    if (header.e_phentsize != sizeof(Elf32_Phdr) || table_end > file.size()) {
        throw UsageError(path + ": cut off or damaged");
    }
    return header;
}

}  // namespace

uint32_t load_elf(const std::string &path, uint8_t *ram, uint32_t ram_bytes) {
    const std::vector<uint8_t> file = read_file(path);
    const Elf32_Ehdr header = checked_header(path, file);
    const uint64_t ram_end = uint64_t{ram_address} + ram_bytes;
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf32_Phdr segment;
        std::memcpy(&segment, &file[header.e_phoff + i * sizeof segment], sizeof segment);
        if (segment.p_type != PT_LOAD || segment.p_memsz == 0) continue;
        if (segment.p_filesz > segment.p_memsz ||
            uint64_t{segment.p_offset} + segment.p_filesz > file.size()) {
            throw UsageError(path + ": cut off or damaged");
        }
        const uint64_t end = uint64_t{segment.p_paddr} + segment.p_memsz;
        if (segment.p_paddr < ram_address || end > ram_end) {
            throw UsageError(path + ": " + hex(segment.p_paddr) + " to " + hex(end) +
                             " is outside the RAM (" + hex(ram_address) + " to " + hex(ram_end) +
                             ", --ram-kib)");
        }
        std::memcpy(ram + (segment.p_paddr - ram_address), &file[segment.p_offset],
                    segment.p_filesz);
    }
    return header.e_entry;
}

}  // namespace foliot
