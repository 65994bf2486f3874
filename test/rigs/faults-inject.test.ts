import { describe, expect, it } from "vitest";
import { isOfFile } from "../../rigs/faults-inject.ts";

describe("a call that strace made fail", () => {
  it.each([
    'write(25</tmp/root/.recollect/new-7>, "text", 4) = -1 ENOSPC (No space left on device) (INJECTED)',
    'openat(AT_FDCWD</tmp>, "/proc/self/fd/20/plan.md", O_RDONLY) = -1 EMFILE (Too many open files) (INJECTED)',
    'rename("/proc/self/fd/22/new-7", "/proc/self/fd/20/plan.md") = -1 EIO (Input/output error) (INJECTED)',
  ])("counts where it is one on a file: %s", (hit) => {
    expect(isOfFile(hit)).toBe(true);
  });

  it.each(["anon_inode:[eventfd]", "pipe:[4711]", "socket:[4711]"])("is left out where it is one on %s", (target) => {
    expect(isOfFile(`write(25<${target}>, "\\1\\0", 8) = -1 ENOSPC (No space left on device) (INJECTED)`)).toBe(false);
  });
});
