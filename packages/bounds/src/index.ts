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
export type { JsonKind, JsonScalarKind } from "./json-skip.ts";
export type { JsonLimits } from "./json-walk.ts";
export { LimitError } from "./limit.ts";
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
export { type Asking, currentOwner, type Owner, ownerHasEnded, startOfProcess } from "./owner.ts";
export { collectPages, type Page, type PageLimits } from "./pages.ts";
export { type Replacing, replaceFile, replaceFileSync } from "./replace.ts";
export { createSpillStore, type Spill, type SpillOptions, type SpillStore } from "./spill.ts";
export { SpillError, type SpillErrorCode } from "./spill-error.ts";
export { type SweepOptions, sweepSpills } from "./sweep.ts";
export {
  type Cut,
  type CutLimit,
  type CutLimits,
  cutBytes,
  cutText,
  type Extent,
} from "./text.ts";
export { findInvalidUtf8 } from "./utf8.ts";
