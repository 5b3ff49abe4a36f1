import { blocksOf, shapeOf, stepsOf } from './page.ts';

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

describe('the blocks of a page', () => {
  it('are found with language, marks and line', () => {
    expect(blocksOf(`# Title\n\n${fence('sh docker', 'a\n\nb')}\n`)).toEqual([
      { language: 'sh', info: ['docker'], text: 'a\n\nb', line: 3 },
    ]);
  });

  it('have to be closed', () => {
    expect(() => blocksOf('text\n```sh\na')).toThrow('the fence of line 2 is left open');
  });
});

describe('the steps of a page', () => {
  it('are its commands and programs, each with the answer that follows at once', () => {
    const page = [
      fence('sh start', 'npm start'),
      fence('sh docker', 'docker run'),
      fence('sh', 'one'),
      fence('json', '{"a": 1}'),
      fence('toml', 'x = 1'),
      fence('python', 'two'),
      fence('ts', 'three'),
      fence('text', 'answer'),
      fence('json', 'not of a step'),
    ].join('\n');
    expect(stepsOf(page).map(({ block, answer }) => [block.text, answer?.text])).toEqual([
      ['one', '{"a": 1}'],
      ['two', undefined],
      ['three', 'answer'],
    ]);
  });
});

describe('the shape of an answer', () => {
  it('is made of names and types, a list being like its first element', () => {
    expect(shapeOf({ id: 'a', n: 1, at: null, items: [{ b: true }, 5], none: [] })).toEqual({
      id: 'string',
      n: 'number',
      at: 'null',
      items: [{ b: 'boolean' }],
      none: [],
    });
  });

  it.each([
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: null }, { a: 'x' }],
    [{ a: [] }, { a: [1] }],
  ])('of %j is not that of %j', (one, other) => {
    expect(shapeOf(one)).not.toEqual(shapeOf(other));
  });
});
