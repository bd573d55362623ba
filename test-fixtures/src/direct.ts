import type { Launch } from "./peers.ts";
import { startProcess } from "./process.ts";

/** A request without an id. */
export interface DirectRequest {
  readonly method: string;
  readonly params?: object;
}

/**
 * Starts a server, asks it one request after the other over its own stdio, and gives its answers as the lines that it
 * wrote. The first answer is that to `initialize`.
 */
export async function askDirectly(
  { command, args, env, cwd }: Launch,
  capabilities: object,
  requests: readonly DirectRequest[],
): Promise<string[]> {
  await using server = startProcess(command, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  });
  const answers: string[] = [];
  const write = (message: object) =>
    server.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = async (request: DirectRequest) => {
    const id = answers.length;
    write({ id, ...request });
    const [line] = await server.waitFor(new RegExp(`^\\{.*"id":${id}[,}].*$`, "m"));
    answers.push(line);
  };
  const clientInfo = { name: "direct", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities, clientInfo };
  await ask({ method: "initialize", params });
  write({ method: "notifications/initialized" });
  for (const request of requests) await ask(request);
  return answers;
}

/** The result or error of an answer, as the bytes that stand in it. */
export function bodyOf(answer: string): string {
  const { result, error } = JSON.parse(answer);
  const body = JSON.stringify(result ?? error);
  if (!answer.includes(body)) throw new Error(`No body can be cut out of ${answer}`);
  return body;
}
