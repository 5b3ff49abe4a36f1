import type { Command } from './command.ts';
import { purgeCommand } from './erasure/purge.ts';
import { scanCommand } from './erasure/scan.ts';

/** What is done about erasures without a service, one row for each. */
export const ERASURE_COMMANDS: readonly Command[] = [purgeCommand, scanCommand];
