export {
  type Child,
  type ChildExit,
  type ChildOptions,
  ChildStartError,
  startChild,
} from "./child.ts";
export { type CommandSearch, findCommand } from "./command.ts";
export { type Discovered, discoverResult, parseDiscover } from "./discover.ts";
export { baseEnvironment, type Environment, layerEnvironments } from "./environment.ts";
export {
  afterInitialize,
  type Caching,
  completeResult,
  type Envelope,
  HEADER_MISMATCH,
  type HeaderFields,
  type InitializeFailure,
  isModernRequest,
  isModernVersion,
  LEGACY_VERSIONS,
  META_KEYS,
  MISSING_CLIENT_CAPABILITY,
  MODERN_VERSION,
  MODERN_VERSIONS,
  NO_CACHING,
  parseEnvelope,
  resultKind,
  stripEnvelope,
  UNSUPPORTED_VERSION,
  withEnvelope,
} from "./era.ts";
export type { EventDecoderOptions, ServerSentEvent } from "./event-assembly.ts";
export { type ForegroundOptions, runForeground, type SignalSource } from "./foreground.ts";
export { createGroups, type Groups } from "./groups.ts";
export {
  checkParamHeaders,
  checkRequestHeaders,
  decodeHeaderValue,
  encodeHeaderValue,
  type ParamHeader,
  type ParamHeaders,
  type Refusal,
  readParamHeaders,
  requestHeaders,
} from "./headers.ts";
export { identifyOversize, type OversizeIdentity } from "./identify.ts";
export { ChildGoneError } from "./line-writer.ts";
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
  isObject,
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
  type Clock,
  createPeer,
  type InboundContext,
  type InboundRequest,
  type Peer,
  type PeerOptions,
  type Progress,
  type RequestOptions,
  RequestTimeoutError,
  RpcError,
} from "./peer.ts";
export {
  type EnvelopeChanges,
  type MessageId,
  type MessageSpans,
  membersOf,
  type ReadableMessage,
  type RelayMessage,
  readEnvelope,
  rewriteEnvelope,
  stringAt,
  textAt,
} from "./relay.ts";
export {
  type Edit,
  editMembers,
  type MemberChanges,
  onOneLine,
  splice,
  spliceInPlace,
} from "./splice.ts";
export {
  createEventDecoder,
  type EventDecoder,
  type EventFields,
  encodeComment,
  encodeEvent,
  encodeEventPieces,
} from "./sse.ts";
export {
  ANSWER_OVER_LIMIT,
  createStdioTransport,
  type StdioTransport,
  type StdioTransportOptions,
} from "./stdio.ts";
export {
  type ProcessGroup,
  posixGroup,
  STOP_DELAYS,
  type StopDelays,
  type StopOutcome,
  stopGroup,
  windowsTree,
} from "./stop.ts";
export { createTail, type Tail, type TextStream } from "./tail.ts";
