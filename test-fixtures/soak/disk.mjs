// A small disk of a scenario's own, without rights on the machine: a memory file system in a namespace of its own (Linux).
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { startProcess } from "test-fixtures";

const BLOCK = Buffer.alloc(4096);

/** Mounts so many bytes at `path`, for processes that are started `under` it. They see `path`, and we `outside`. */
export async function mountDisk(soak, path, bytes) {
  mkdirSync(path);
  const script = 'mount -t tmpfs -o "size=$1,mode=700" soak "$0" && echo mounted && exec cat';
  const keeper = soak.own(
    startProcess("unshare", ["-Urm", "sh", "-c", script, path, String(bytes)], { env: soak.env }),
  );
  await keeper.waitFor(/mounted/).catch((error) => {
    throw new Error("No disk can be mounted in a namespace of our own (unshare -Urm)", {
      cause: error,
    });
  });
  const { pid } = keeper;
  const outside = (name = "") => join(`/proc/${pid}/root`, path, name);
  return {
    outside,
    under: ["nsenter", "--preserve-credentials", "-U", "-m", "-t", String(pid)],
    /** Writes until nothing more goes in. */
    fill() {
      const file = openSync(outside("filler"), "w");
      try {
        for (;;) writeSync(file, BLOCK);
      } catch (error) {
        if (error.code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(outside("filler")),
  };
}
