import type { ServerResponse } from "node:http";
import { CONNECTION_CLOSED } from "@core/wire";
import type { Reply } from "../exchange/reply.ts";
import { STREAM_AFTER_MS } from "../limits.ts";
import { errorMessage, type IdText } from "../response/message.ts";
import type { Accept } from "./accept.ts";
import { type EventStream, openEventStream } from "./event-stream.ts";
import { refuse, sendJson } from "./refuse.ts";

/**
 * Answers one POST: as one JSON body, or as an event stream once a notification comes before the answer or the answer
 * takes long, where the client takes such a stream. `onOver` is called once: when it is answered, or when the client left.
 * `statusOf` tells the status of an answer that is one body.
 */
export function createReply(
  response: ServerResponse,
  id: IdText,
  accept: Accept,
  onOver?: () => void,
  statusOf: (json: Buffer) => number = () => 200,
): Reply {
  let stream: EventStream | undefined;
  let timer: NodeJS.Timeout | undefined;
  let over = false;

  const openStream = () => {
    clearTimeout(timer);
    stream ??= openEventStream(response);
    return stream;
  };
  const close = () => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    onOver?.();
  };
  if (!accept.json) openStream();
  else if (accept.events) timer = setTimeout(openStream, STREAM_AFTER_MS);
  response.on("close", close);

  const finish = (json: Buffer) => {
    if (over) return;
    close();
    if (stream === undefined) sendJson(response, statusOf(json), json);
    else {
      stream.send(json);
      stream.end();
    }
  };
  return {
    notify(json) {
      if (over || !accept.events) return false;
      openStream().send(json);
      return true;
    },
    finish,
    fail: (code, message, data) => finish(errorMessage(id, code, message, data)),
    refuse(refusal) {
      if (over) return;
      if (stream !== undefined)
        return finish(errorMessage(id, refusal.code, refusal.message, refusal.data));
      close();
      refuse(response, refusal, id);
    },
    end() {
      if (over) return;
      // A client that takes no stream must get some body, though it no longer waits for this answer.
      if (!accept.events) return finish(errorMessage(id, CONNECTION_CLOSED, "Request cancelled"));
      close();
      openStream().end();
    },
  };
}
