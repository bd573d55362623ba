import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { ChildGoneError, createLineWriter } from "./line-writer.ts";

/** A pipe that tells what each write to it held. */
function createPipe() {
  const writes: string[] = [];
  const textOf = (chunks: readonly { chunk: Buffer }[]) =>
    Buffer.concat(chunks.map(({ chunk }) => chunk)).toString();
  const stdin = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString());
      done();
    },
    writev(chunks, done) {
      writes.push(textOf(chunks));
      done();
    },
  });
  return { stdin, writes };
}

describe("createLineWriter", () => {
  it("[W8] writes for a caller who is alone at once", () => {
    const { stdin, writes } = createPipe();
    const send = createLineWriter(stdin, () => false);
    void send("1");
    expect(writes).toEqual(["1\n"]);
    void send(Buffer.from("2"));
    expect(writes).toEqual(["1\n", "2\n"]);
  });

  it("[W8] gathers what is sent to a busy server in one turn into one write, and the next turn's into another", async () => {
    const { stdin, writes } = createPipe();
    const send = createLineWriter(stdin, () => true);
    const first = [send("1"), send(Buffer.from("2")), send("3")];
    expect(writes).toEqual([]);
    await Promise.all(first);
    expect(writes).toEqual(["1\n2\n3\n"]);
    await send("4");
    expect(writes).toEqual(["1\n2\n3\n", "4\n"]);
  });

  it("[W8] hands over what it has gathered when the pipe is ended, and fails what it had when the pipe is destroyed", async () => {
    const ended = createPipe();
    const sent = createLineWriter(ended.stdin, () => true)("1");
    ended.stdin.end();
    await sent;
    expect(ended.writes).toEqual(["1\n"]);

    const destroyed = createPipe();
    const lost = createLineWriter(destroyed.stdin, () => true)("1");
    destroyed.stdin.destroy();
    await expect(lost).rejects.toThrow(ChildGoneError);
    expect(destroyed.writes).toEqual([]);
  });
});
