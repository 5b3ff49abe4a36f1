import { useState } from 'preact/hooks';

import { ask } from '../../api/ask.ts';
import { useAct } from '../../api/use-act.ts';
import { useQuery } from '../../api/use-query.ts';
import { Confidence } from '../../components/confidence.tsx';
import { MissingRights, useMissing } from '../../components/missing-rights.tsx';
import { ErrorNotice, Note, Skeleton } from '../../components/notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { ONE_OF, recordInWords } from '../../records/record.ts';
import { WhyLink } from '../../records/why-link.tsx';
import { answerParts } from './context.ts';
import { ANSWER, ANSWERING, type AnswerData, type AnswerInput, type Citation } from './queries.ts';

type Answered = NonNullable<AnswerData['answer']>;

/** Has a model answer the question from what is recalled; it costs what the model costs, so nobody asks it but by the button. */
export function AnswerPanel({ input }: { readonly input: AnswerInput }) {
  const [answer, setAnswer] = useState<Answered | null>(null);
  const { isBusy, refusal, start } = useAct();
  const answering = useQuery(ANSWERING, {});
  const missing = useMissing(input.scope, ['llm.invoke']);
  const check =
    answering.reading.is === 'refused' ? undefined : answering.reading.data?.adminReady?.checks.answer;
  const isOff = check?.status === 'off';
  const askModel = (): void => {
    setAnswer(null);
    start(async (signal) => {
      setAnswer((await ask(ANSWER, { input }, signal)).answer);
    });
  };
  const mayAsk = !isOff && (missing === null || missing.length === 0);
  return (
    <Panel
      title="Answer"
      aside={
        mayAsk && (
          <button type="button" class="button" disabled={isBusy} onClick={askModel}>
            Have a model answer
          </button>
        )
      }
    >
      <MissingRights missing={missing} what="have a model answer" />
      {isOff && (
        <Note>
          <p>
            No model answers here. {check.detail}
            {check.fix !== undefined && <> To turn it on: {check.fix}</>}
          </p>
        </Note>
      )}
      {answer === null && !isBusy && refusal === null && mayAsk && (
        <p class="soft">A model would answer from these records alone, and cite them.</p>
      )}
      {isBusy && <Skeleton lines={3} />}
      {refusal !== null && <ErrorNotice refusal={refusal} retry={askModel} />}
      {answer !== null && <AnswerText answer={answer} />}
    </Panel>
  );
}

function citationId(marker: string): string {
  return `citation-${marker.replaceAll(/[[\]]/g, '')}`;
}

function AnswerText({ answer: { answer, citations, diagnostics, warnings } }: { readonly answer: Answered }) {
  const markers = new Set(citations.map(({ marker }) => marker));
  return (
    <div class="answer">
      <p class="answer-text">
        {answerParts(answer, markers).map((part, i) =>
          part.is === 'text' ? (
            part.text
          ) : (
            <button
              key={i}
              type="button"
              class="marker"
              onClick={() => {
                const citation = document.getElementById(citationId(part.marker));
                if (citation instanceof HTMLDetailsElement) citation.open = true;
                citation?.scrollIntoView({ block: 'center' });
                citation?.querySelector('summary')?.focus();
              }}
            >
              {part.marker}
            </button>
          ),
        )}
      </p>
      {warnings.map((warning) => (
        <Note key={warning}>{warning}</Note>
      ))}
      <ul class="citations">
        {citations.map((citation) => (
          <li key={citation.marker}>
            <CitationOf citation={citation} isChecked={diagnostics.verification === 'verified'} />
          </li>
        ))}
      </ul>
      <p class="small soft">
        {diagnostics.llmModel === null ? 'No model was called.' : `By ${diagnostics.llmModel}.`} Citations:{' '}
        {diagnostics.verification.replaceAll('_', ' ')}
        {diagnostics.verifierModel !== null && ` by ${diagnostics.verifierModel}`}.
        {diagnostics.droppedCitations.length > 0 &&
          ` Taken out, because nothing has them: ${diagnostics.droppedCitations.join(', ')}.`}
        {diagnostics.truncated && ' The text ended at its limit.'}
      </p>
    </div>
  );
}

function CitationOf({
  citation: { marker, layer, id, supportStrength, record },
  isChecked,
}: {
  readonly citation: Citation;
  readonly isChecked: boolean;
}) {
  return (
    <details id={citationId(marker)} class="citation">
      <summary>
        {marker} {ONE_OF[layer]} <span class="small soft">{isChecked ? 'supports it by' : 'matched by'}</span>{' '}
        <Confidence value={supportStrength} />
      </summary>
      {record === null ? (
        <p class="soft">It has gone since.</p>
      ) : (
        <p>
          {recordInWords(record)} <WhyLink id={id} scope={record.scope} />
        </p>
      )}
    </details>
  );
}
