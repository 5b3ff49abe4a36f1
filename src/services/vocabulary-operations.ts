import type { VocabularyItem, VocabularyPage } from '../../schemas/vocabulary-record.ts';
import type { Call } from './access.ts';

/** What concerns vocabularies. */
export interface VocabularyOperations {
  list(call: Call, query: unknown): Promise<VocabularyPage>;
  /** Throws `NOT_FOUND`. */
  get(call: Call, name: string): Promise<VocabularyItem>;
  /** Throws `NOT_FOUND`, `NOT_A_MEMBER`. */
  update(call: Call, name: string, body: unknown): Promise<VocabularyItem>;
  /** Throws `NOT_FOUND`, `NOT_A_MEMBER`. */
  remove(call: Call, name: string): Promise<void>;
  /** The cursor that continues a listing behind a vocabulary of it. */
  cursorOf(vocabulary: VocabularyItem): string;
}
