import { EXPORT_FORMATS, type ExportFormat } from '../graph-export.ts';
import type { OperationAnswer } from './definition.ts';

/** Why an export has no field of GraphQL. */
export const ANY_LENGTH = {
  reason: 'A file of any length, in a format of its own, is no answer of GraphQL.',
};

/** The answer of an export in one of some formats, of which one is shown as an example. */
export function exportAnswer(formats: readonly ExportFormat[], shown: ExportFormat): OperationAnswer {
  return {
    description: 'The file, in the format that was asked for.',
    mediaType: EXPORT_FORMATS[shown].mediaType,
    otherMediaTypes: formats
      .filter((format) => format !== shown)
      .map((format) => EXPORT_FORMATS[format].mediaType),
  };
}
