import { useQuery } from '../../api/use-query.ts';
import { address, asOf, scope } from '../../app/location.ts';
import { ChooseScope } from '../../components/choose-scope.tsx';
import { Empty } from '../../components/notice.tsx';
import { Shown } from '../../components/shown.tsx';
import { AnswerPanel } from './answer.tsx';
import { answerInput, isAsked, recallInput } from './asked.ts';
import { PackView } from './pack-view.tsx';
import { RECALL, type RecallInput } from './queries.ts';
import { RecallForm } from './recall-form.tsx';
import './recall.css';

/** Asks the memory, and shows what a model would be given, why each record is in it, and what a model makes of it. */
export function Recall() {
  const { parameters } = address.value;
  return (
    <div class="view">
      <header class="view-head">
        <h1>Recall</h1>
        <p class="soft">What a model would be given for a question, and why each record is in it.</p>
      </header>
      {scope.value === null ? (
        <ChooseScope what="A recall begins at a scope." />
      ) : (
        <div class="recall">
          <RecallForm />
          {isAsked(parameters) ? (
            <Recalled input={recallInput(scope.value, parameters, asOf.value)} />
          ) : (
            <Empty title="Nothing is asked yet.">
              <p>Ask in words, as you would ask somebody.</p>
            </Empty>
          )}
        </div>
      )}
    </div>
  );
}

function Recalled({ input }: { readonly input: RecallInput }) {
  const recall = useQuery(RECALL, { input });
  return (
    <>
      {input.query !== undefined && <AnswerPanel input={answerInput(input)} key={JSON.stringify(input)} />}
      <Shown query={recall} lines={8}>
        {({ recall: pack }) => pack && <PackView pack={pack} />}
      </Shown>
    </>
  );
}
