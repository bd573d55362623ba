export { type FitRequest, type Fitted, fitItems } from "./fit.ts";
export { type ByteGate, createByteGate } from "./gate.ts";
export {
  type JsonKey,
  type JsonScalar,
  type JsonSpan,
  type JsonVisitor,
  scanJson,
} from "./json.ts";
export { JsonSyntaxError, type JsonSyntaxReason } from "./json-error.ts";
export {
  type JsonElement,
  type JsonMember,
  readElements,
  readMembers,
  readString,
} from "./json-members.ts";
export type { JsonKind, JsonLimits, JsonScalarKind } from "./json-walk.ts";
export { LimitError, requireMaximum } from "./limit.ts";
export {
  countBytes,
  countCodePoints,
  countLines,
  KIB,
  MIB,
  type Position,
  positionAt,
} from "./measure.ts";
export { createMeter, type Meter, type Taken } from "./meter.ts";
export { currentOwner, hasEnded, type Owner, startOfProcess } from "./owner.ts";
export { collectPages, type Page, type PageLimits } from "./pages.ts";
export {
  createSpillStore,
  type Spill,
  SpillError,
  type SpillErrorCode,
  type SpillOptions,
  type SpillStore,
  type SweepOptions,
  sweepSpills,
} from "./spill.ts";
export {
  type Cut,
  type CutLimit,
  type CutLimits,
  cutBytes,
  cutText,
  type Extent,
} from "./text.ts";
export { findInvalidUtf8 } from "./utf8.ts";
