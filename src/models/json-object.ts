/** Braces of an answer that begin no JSON object, before the rest of it is not looked at: each is followed to the end of the text. */
const MODEL_OBJECT_TRIES = 100;

/**
 * The JSON objects that stand in a text, in their order, whatever stands around them. What stands within one is none of its own. After
 * {@link MODEL_OBJECT_TRIES} braces that begin none the rest is not looked at.
 */
export function objectsIn(text: string): unknown[] {
  const found: unknown[] = [];
  let tries = 0;
  for (let at = text.indexOf('{'); at >= 0 && tries < MODEL_OBJECT_TRIES; at = text.indexOf('{', at)) {
    const end = endOfObject(text, at);
    const value = end === null ? undefined : parsed(text.slice(at, end));
    if (value === undefined) tries += 1;
    else found.push(value);
    at = value === undefined || end === null ? at + 1 : end;
  }
  return found;
}

/** Where the object that begins at a brace ends; null when it does not. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let isInText = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isInText) {
      if (character === '\\') at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Errors of Node's core are no instances of those of a test.
    if ((error as { name?: string }).name === 'SyntaxError') return undefined;
    throw error;
  }
}
