export { type Conversion, convert } from './convert.ts';
export { bestReader, DETECTION_FLOOR, detectReader } from './detect.ts';
export { mappingReader, readMapping } from './mapping.ts';
export { loadMapping, type Mapping, mappingSchema, parseMapping } from './mapping-schema.ts';
export {
  type FileRange,
  mergeRanges,
  planRanges,
  type RangePlan,
  type RangeSummary,
  readRange,
} from './ranges.ts';
export {
  type FileRow,
  type FileSummary,
  type FilesReading,
  type ReadFilesOptions,
  readFiles,
} from './read.ts';
export type { Head, Reader, ReadOptions, Row, Source, TextLine } from './reader.ts';
export { READERS, readerNamed } from './registry.ts';
export { DEFAULT_ROW_LIMIT, openSource, type SourceOptions } from './source.ts';
export type { TrajectoryFile, WriteOptions, Writer } from './writer.ts';
export { WRITERS, writerFor, writerNamed } from './writers.ts';
