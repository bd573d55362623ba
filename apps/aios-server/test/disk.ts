import { type Disk, nodeDisk } from "../src/reader/disk.ts";

/** One call of a disk: what is asked and of which path or descriptor. */
export interface DiskCall {
  readonly method: keyof Disk;
  readonly subject: string | number;
}

/** The real disk, telling of every call before it happens. */
export function watchedDisk(before: (call: DiskCall) => void): Disk {
  const watch = <Arguments extends [string | number, ...unknown[]], Result>(
    method: keyof Disk,
    act: (...args: Arguments) => Result,
  ) => {
    return (...args: Arguments): Result => {
      before({ method, subject: args[0] });
      return act(...args);
    };
  };
  return {
    lstat: watch("lstat", nodeDisk.lstat),
    stat: watch("stat", nodeDisk.stat),
    openFolder: watch("openFolder", nodeDisk.openFolder),
    openFile: watch("openFile", nodeDisk.openFile),
    fstat: watch("fstat", nodeDisk.fstat),
    read: watch("read", nodeDisk.read),
    close: watch("close", nodeDisk.close),
    entries: watch("entries", nodeDisk.entries),
  };
}

/** A disk on which any look at all is a failure of the test. */
export const trappedDisk: Disk = watchedDisk(({ method, subject }) => {
  throw new Error(`The folder was looked at: ${method} ${subject}`);
});
