import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { ErasureReceipt } from '../../../schemas/erasure.ts';
import { errorText, StrataError } from '../../errors.ts';
import { kidOf, PUBLIC_KEY_TEXT, readVerifyingKey } from '../../tokens/key.ts';
import { openReceipt } from '../../tokens/receipt.ts';
import { EXIT, UsageError, type CliProcess, type Command } from '../command.ts';
import { textOf } from '../service-address.ts';
import { optionLine } from '../setting-flags.ts';

/** A receipt as it is in a file: alone, or in the answer of the service. */
interface ReceiptFile {
  readonly receipt: string;
  /** The public key that came with it; null where it came alone. */
  readonly publicKey: string | null;
}

/** `strata erasure verify`: checks the receipt of an erasure with a public key alone: no service, no database, no network. */
export const verifyCommand: Command = {
  name: 'erasure verify',
  arguments: ['RECEIPT'],
  summary:
    'Check the receipt of an erasure offline; RECEIPT is a file with it, alone or as the service answered.',
  options: { key: { type: 'string' }, json: { type: 'boolean' } },
  optionHelp: [
    optionLine(
      '--key KEY',
      'Public key to check it with (k4.public.…); default: the one in the file, which proves only that nothing was changed since.',
    ),
    optionLine('--json', 'Print what the receipt says as JSON.'),
  ],
  async run({ flags, positionals }, host) {
    const { receipt, publicKey } = readReceipt(positionals[0] ?? '', host);
    const key = textOf(flags.key) ?? publicKey;
    if (key === null) throw new UsageError('--key is missing: the file holds no public key');
    if (!PUBLIC_KEY_TEXT.test(key))
      throw new UsageError('--key is no public key: k4.public. and 43 characters');
    const own = textOf(flags.key) === null;
    try {
      const claims = await openReceipt(receipt, await readVerifyingKey(kidOf(key), key));
      host.stdout.write(flags.json === true ? `${JSON.stringify(claims, null, 2)}\n` : summaryOf(claims));
      host.stderr.write(
        `Signed by ${kidOf(key)}${own ? ', the key in the file: compare it with that of the deployment' : ''}.\n`,
      );
      return claims.residue.undeclared === 0 ? EXIT.ok : EXIT.refused;
    } catch (error) {
      if (!(error instanceof StrataError)) throw error;
      host.stderr.write(`strata: ${error.message}\n`);
      return EXIT.refused;
    }
  },
};

function readReceipt(file: string, { directory }: CliProcess): ReceiptFile {
  const text = readText(resolve(directory, file)).trim();
  if (!text.startsWith('{')) return { receipt: text, publicKey: null };
  const { receipt, public_key: key } = parsed(text) as { receipt?: unknown; public_key?: unknown };
  if (typeof receipt !== 'string') throw new UsageError(`${file} holds no field \`receipt\``);
  return { receipt, publicKey: typeof key === 'string' ? key : null };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${errorText(error)}`);
  }
}

function parsed(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw new UsageError(`the file is no JSON, and no receipt: ${errorText(error)}`);
  }
}

function summaryOf(claims: ErasureReceipt): string {
  const { erasure_id, scope, tenant, requested_by, status, completed_at, removed, residue, commitments } =
    claims;
  const lines = [
    `erasure    ${erasure_id}, ${status} ${completed_at}`,
    `scope      ${scope} (tenant ${tenant}), asked for by ${requested_by}`,
    `removed    ${Object.entries(removed)
      .map(([layer, count]) => `${count} ${layer}`)
      .join(', ')}`,
    `held       ${claims.events_under_legal_hold} events`,
    `committed  ${commitments.count} events, root ${commitments.root}`,
    `audit      ${claims.audit.audit_id}${claims.audit.sequence === null ? '' : `, number ${claims.audit.sequence}`}`,
    `looked at  ${residue.purged.join(', ')}`,
    ...residue.controlled.map(({ place, until, purge }) => `may lie in ${place}: ${until}; ${purge}`),
    ...residue.uncontrollable.map(({ holder, what }) => `went to    ${holder}: ${what}`),
    `undeclared ${residue.undeclared}`,
  ];
  return `${lines.join('\n')}\n`;
}
