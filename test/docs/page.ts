/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  /** What stands behind the language. */
  readonly info: readonly string[];
  readonly text: string;
  /** Line of the page on which the fence opens, from 1. */
  readonly line: number;
}

/** A block that is run, and what the page shows as its answer. */
export interface Step {
  readonly block: Block;
  readonly answer: Block | null;
}

const RUN = new Set(['sh', 'python', 'ts']);
const ANSWER = new Set(['json', 'text']);
/** Marks of blocks that are not run as they stand: those for Docker, and the start of the service, which runs already. */
export const DOCKER = 'docker';
export const START = 'start';

/** The fenced blocks of a page in order. Throws where a fence is left open. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; info: string[]; lines: string[]; line: number } | null = null;
  for (const [index, line] of page.split('\n').entries()) {
    if (open === null) {
      const [, language = '', info = ''] = /^```(\S*) *(.*)$/.exec(line) ?? [];
      if (line.startsWith('```'))
        open = { language, info: info.split(' ').filter((word) => word !== ''), lines: [], line: index + 1 };
    } else if (line === '```') {
      const { lines, ...rest } = open;
      blocks.push({ ...rest, text: lines.join('\n') });
      open = null;
    } else open.lines.push(line);
  }
  if (open !== null) throw new Error(`the fence of line ${open.line} is left open`);
  return blocks;
}

/** The blocks of a page that are run, each with the answer that follows it at once. */
export function stepsOf(page: string): Step[] {
  const blocks = blocksOf(page);
  return blocks.flatMap((block, i) => {
    const { language, info } = block;
    if (!RUN.has(language) || info.includes(DOCKER) || info.includes(START)) return [];
    const next = blocks[i + 1];
    return [{ block, answer: next !== undefined && ANSWER.has(next.language) ? next : null }];
  });
}

/** What a JSON value is made of: names of fields and types of values; a list is like its first element. */
export function shapeOf(value: unknown): unknown {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}
