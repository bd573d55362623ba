import { expect, it } from "vitest";
import { checkSocket } from "./socket.ts";

it("[G25] finds no folder and no mode wrong with a named pipe of Windows", async () => {
  const finding = await checkSocket("\\\\.\\pipe\\wraptool-1");
  expect(finding).toMatchObject({ id: "socket", level: "ok" });
  expect(finding.reason).toContain("named pipe");
});
