import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPathScrubber, PATH_MARK } from "./machine-path.ts";

const scrub = createPathScrubber([
  "/srv/data/ines/aios",
  "/srv/data/ines/my vault",
  "D:\\Ines V\\",
  "/",
]);

describe("createPathScrubber", () => {
  it.each([
    ["see /home/ines/notes/a.md.", "see [path]."],
    ["(/Users/ines/x) and `/root/.ssh/id`", "([path]) and `[path]`"],
    ["path:/home/ines/x, then", "path:[path], then"],
    ["host:/home/ines", "host:[path]"],
    ["//home/ines/a:12", "[path]"],
    ["/mnt/c/Users/ines/x /var/home/ines/y /private/root/z", "[path] [path] [path]"],
    ["C:\\Users\\Ines Varga\\a b.txt end", "[path] b.txt end"],
    ["c:/Users/ines/x", "[path]"],
    ["\\\\nas\\share\\ines and \\\\?\\C:\\x", "[path] and [path]"],
    ["file:///home/ines/x FILE:C:\\x file://host/share/y", "[path] [path] [path]"],
    ["mein Pfad：/home/ines/x", "mein Pfad：[path]"],
  ])(
    "[S16] replaces any path of a person, a drive, a share or a file address: %s",
    (text, safe) => {
      expect(scrub(text)).toBe(safe);
    },
  );

  it.each([
    ["/srv/data/ines/aios/projects/x.md", "[path]"],
    ["/srv/data/ines/aios", "[path]"],
    ["in /SRV/Data/ines/my vault/wiki!", "in [path]!"],
    ["d:/ines v/x", "[path]"],
    ["'/srv/data/ines/aios'", "'[path]'"],
  ])("[S16] replaces the places it is given, in any case: %s", (text, safe) => {
    expect(scrub(text)).toBe(safe);
  });

  it.each([
    "https://example.com/home/x/Users/y?p=/root/z",
    "obsidian://open/home/x",
    "projects/home/README.md",
    "./home/x ../root/y ~/home/z",
    "memory/sessions/2026-11-30/a.md",
    "/homework /rooted /Userspace/x and/or /usr/lib and /home alone",
    "a: b, 10:/30 s://",
    "profile:/x and file: see below",
    "/srv/data/ines/aiosphere/x",
    "regex \\d+\\w",
  ])("[S16] leaves addresses, relative paths and everything else: %s", (text) => {
    expect(scrub(text)).toBe(text);
  });

  it("[S16] leaves nothing of a place in any text around it", () => {
    const around = fc.string({ unit: fc.constantFrom(..." \n'\"(<:=a/\\.") });
    fc.assert(
      fc.property(
        around,
        fc.constantFrom("/home/ines/x", "C:\\ines\\x", "/Users/ines"),
        (before, path) => {
          const isApart = /(^|[\s'"(<:=])$/.test(before);
          if (isApart) expect(scrub(before + path)).not.toContain("ines");
        },
      ),
    );
  });

  it.each(["/", "\\", "a.", "/home/ ", "C:\\ ", "file:", "x://", ":/", "a b\\ "])(
    "takes a megabyte of %j without losing its way",
    (part) => {
      const text = part.repeat(2 ** 20 / part.length);
      expect(scrub(`${text} /home/ines`)).not.toContain("ines");
    },
  );

  it("leaves its own mark as it is", () => {
    expect(scrub(`${PATH_MARK}/home/x`)).toBe(scrub(scrub(`${PATH_MARK}/home/x`)));
  });
});
