export { createLineSplitter, type LineSplitter, type LineSplitterOptions } from "./lines.ts";
export {
  type Classified,
  CONNECTION_CLOSED,
  classify,
  type ErrorObject,
  errorAnswer,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  idKey,
  isRequestId,
  type JsonObject,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  REQUEST_TIMEOUT,
  RESOURCE_NOT_FOUND,
  type RequestId,
} from "./message.ts";
export type { Oversize } from "./oversize.ts";
export {
  createEventDecoder,
  type EventDecoder,
  type EventDecoderOptions,
  type EventFields,
  encodeComment,
  encodeEvent,
  encodeEventPieces,
  type ServerSentEvent,
} from "./sse.ts";
