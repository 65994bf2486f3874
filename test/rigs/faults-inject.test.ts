import { describe, expect, it } from "vitest";
import { isWakeUp } from "../../rigs/faults-inject.ts";

describe("a call that strace made fail", () => {
  it.each(["anon_inode:[eventfd]", "pipe:[4711]", "socket:[4711]"])(
    "is left out where it is a write to %s",
    (target) => {
      expect(isWakeUp(`write(25<${target}>, "\\1\\0", 8) = -1 ENOSPC (No space left on device) (INJECTED)`)).toBe(true);
    },
  );

  it.each([
    'write(25</tmp/root/.recollect/new-7>, "text", 4) = -1 ENOSPC (No space left on device) (INJECTED)',
    'openat(AT_FDCWD</tmp>, "/proc/self/fd/20/plan.md", O_RDONLY) = -1 EMFILE (Too many open files) (INJECTED)',
    'rename("/proc/self/fd/22/new-7", "/proc/self/fd/20/plan.md") = -1 EIO (Input/output error) (INJECTED)',
    'statx(9<anon_inode:[eventfd]>, "", AT_EMPTY_PATH, STATX_ALL, 0x7ffe) = -1 EIO (Input/output error) (INJECTED)',
  ])("counts where it is one of the store: %s", (hit) => {
    expect(isWakeUp(hit)).toBe(false);
  });
});
