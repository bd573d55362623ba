export { type FitRequest, type Fitted, fitItems } from "./fit.ts";
export { type ByteGate, createByteGate } from "./gate.ts";
export {
  type JsonElement,
  type JsonKey,
  type JsonKind,
  type JsonLimits,
  type JsonMember,
  type JsonScalar,
  type JsonScalarKind,
  JsonSyntaxError,
  type JsonSyntaxReason,
  type JsonVisitor,
  readElements,
  readMembers,
  readString,
  scanJson,
} from "./json.ts";
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
