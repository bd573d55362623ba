import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatGatewayUrl, readGatewayUrl } from "./gateway-url.ts";

describe("formatGatewayUrl", () => {
  it("[G23] writes a socket as VS Code dials it, and puts the folder in the URL's query", () => {
    const url = new URL("http://host.docker.internal:8717/mcp");
    expect(formatGatewayUrl({ kind: "url", url }, "/a b")).toBe(`${url}?cwd=%2Fa+b`);
    expect(formatGatewayUrl({ kind: "socket", path: "/run/w/s.sock" }, "/a")).toBe(
      "unix:///run/w/s.sock#/mcp?cwd=%2Fa",
    );
  });
});

describe("readGatewayUrl", () => {
  it("[G24] reads back any socket and folder", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => !/^\.{1,2}$/.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), name, (names, folder) => {
        fc.pre(names.every((part) => !part.includes("/")));
        const place = {
          endpoint: { kind: "socket", path: `/${names.join("/")}` },
          cwd: `/${folder}`,
        };
        expect(readGatewayUrl(formatGatewayUrl(place.endpoint as never, place.cwd))).toEqual(place);
      }),
    );
  });

  it.each([
    ["http://h:1/mcp?cwd=%2Fa", "http://h:1/mcp?cwd=%2Fa"],
    ["https://gateway.example/mcp#x", "https://gateway.example/mcp"],
  ])("[G24] takes %s", (text, href) => {
    const { endpoint, cwd } = readGatewayUrl(text);
    expect(endpoint.kind === "url" && endpoint.url.href).toBe(href);
    expect(cwd).toBeUndefined();
  });

  it.each(["unix:///s", "unix:///s#", "unix:///s#/mcp"])("[G24] takes %s", (text) => {
    expect(readGatewayUrl(text)).toEqual({ endpoint: { kind: "socket", path: "/s" } });
  });

  it.each([
    ["127.0.0.1:8717", "an http://, https:// or unix:/// URL"],
    ["nonsense", "an http://, https:// or unix:/// URL"],
    ["ftp://h/mcp", "an http://, https:// or unix:/// URL"],
    ["http://me:hush@h/mcp", "user name or password"],
    ["unix://run/s#/mcp", "unix:///path"],
    ["unix:///", "unix:///path"],
    ["unix:///s?cwd=/a", "unix:///path"],
    ["unix:///s#/other", "#/mcp"],
    ["unix:///%zz", "encodes nothing"],
  ])("[G24] refuses %s and does not quote it", (text, said) => {
    const fault = () => readGatewayUrl(text);
    expect(fault).toThrow(said);
    expect(fault).toThrow(/^WRAPTOOL_URL (?!.*hush)/);
  });
});
