import { useState } from 'preact/hooks';

import { ask } from '../../api/ask.ts';
import { refusalOf, type Refusal } from '../../api/errors.ts';
import { goTo, linkTo } from '../../app/location.ts';
import { Empty, ErrorNotice } from '../../components/notice.tsx';
import { toast } from '../../components/toast.tsx';
import { CHAPTERS, EXAMPLE_SCOPE } from '../../example/story.ts';
import { tellStory } from '../../example/tell.ts';

/** What an empty store shows: one button that fills it with a story. */
export function ExampleOffer({ done }: { readonly done: () => void }) {
  const [chapter, setChapter] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const load = async (): Promise<void> => {
    setRefusal(null);
    try {
      const { signal } = new AbortController();
      await tellStory((document, variables) => ask(document, variables, signal), setChapter);
      toast('The example is loaded.');
      goTo(linkTo('home', [], { scope: EXAMPLE_SCOPE }));
      done();
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setChapter(null);
    }
  };
  return (
    <div class="panel">
      <Empty title="Nothing is stored yet">
        <p>
          The example tells of Maren, who restores a boat: moves, corrections that came late, two sources that
          disagree, and a conclusion whose premise falls. It is captured into the scope{' '}
          <code>{EXAMPLE_SCOPE}</code>, needs no language model, and can be forgotten like anything else.
        </p>
        {chapter === null ? (
          <button type="button" class="button button-main" onClick={() => void load()}>
            Load the example
          </button>
        ) : (
          <div role="status" class="example-progress">
            <progress max={CHAPTERS.length} value={chapter} aria-label="Chapters that are loaded" />
            <span>
              {CHAPTERS[chapter]?.title ?? 'Done'} ({chapter} of {CHAPTERS.length})
            </span>
          </div>
        )}
        {refusal !== null && <ErrorNotice refusal={refusal} />}
      </Empty>
    </div>
  );
}
