export {
  createProgram,
  examplesText,
  type ProgramOptions,
  runProgram,
} from "./command.ts";
export { CommandError, describeFailure, EXIT, type Failure, signalExit } from "./exit.ts";
export { type Colors, createReport, type Report, type ReportOptions } from "./report.ts";
