import type { Command } from './command.ts';
import { purgeCommand } from './erasure/purge.ts';
import { scanCommand } from './erasure/scan.ts';
import { verifyCommand } from './erasure/verify.ts';

/** What is done about erasures without a service, one row for each. */
export const ERASURE_COMMANDS: readonly Command[] = [verifyCommand, purgeCommand, scanCommand];
