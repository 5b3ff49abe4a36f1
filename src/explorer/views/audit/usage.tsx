import { useQuery } from '../../api/use-query.ts';
import { address, goTo, linkWith, scope } from '../../app/location.ts';
import { Select, textOf, type Choice } from '../../components/choices.tsx';
import { Instant } from '../../components/instant.tsx';
import { Panel } from '../../components/panel.tsx';
import { Shown } from '../../components/shown.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { USAGE, type Spent, type UsageItem } from './queries.ts';

const NUMBER = new Intl.NumberFormat();
const PERIODS: readonly Choice[] = [
  ['day', 'today'],
  ['week', 'the last 7 days'],
  ['', 'the last 30 days'],
  ['all', 'all days'],
];
const ROLES: readonly Choice[] = [
  ['', 'all call sites'],
  ['extraction', 'extraction'],
  ['enrichment', 'enrichment'],
  ['answer', 'answer'],
  ['verifier', 'verifier'],
  ['embedding', 'embedding'],
];

type Line = UsageItem & { readonly isSum: boolean };

/** What the models cost, by call site: of the chosen scope, or of all. */
export function UsagePanel() {
  const { period = '', role = '' } = address.value.parameters;
  const usage = useQuery(USAGE, {
    period: period === '' ? 'month' : period,
    role: role === '' ? null : role,
    scope: scope.value,
  });
  return (
    <Panel title="Tokens by call site">
      <Choosers period={period} role={role} />
      <Shown query={usage} lines={4}>
        {({ usage: spent }) =>
          spent && (
            <>
              {spent.items.length === 0 ? (
                <p class="soft">No model was asked.</p>
              ) : (
                <Table
                  caption="Tokens by call site and model"
                  columns={COLUMNS}
                  rows={linesOf(spent)}
                  keyOf={({ role: site, model }) => `${site} ${model}`}
                />
              )}
              <p class="small soft usage-period">
                {scope.value === null ? 'Of all scopes' : `Of ${scope.value} alone`}, days of UTC{' '}
                {spent.from === null ? (
                  'from the first'
                ) : (
                  <>
                    from <Instant at={spent.from} precision="day" />
                  </>
                )}{' '}
                to today.
              </p>
            </>
          )
        }
      </Shown>
    </Panel>
  );
}

function Choosers({ period, role }: { readonly period: string; readonly role: string }) {
  return (
    <form
      class="usage-choosers"
      aria-label="Which tokens"
      onChange={({ currentTarget }) => {
        const form = new FormData(currentTarget);
        goTo(linkWith({ period: textOf(form, 'period'), role: textOf(form, 'role') }));
      }}
    >
      <Select label="During" name="period" value={period} choices={PERIODS} />
      <Select label="At" name="role" value={role} choices={ROLES} />
    </form>
  );
}

const COLUMNS: readonly Column<Line>[] = [
  {
    title: 'Call site',
    cell: ({ role, model, isSum }) =>
      isSum ? (
        <strong>All</strong>
      ) : (
        <>
          {role}
          <span class="usage-model small soft">{model}</span>
        </>
      ),
  },
  {
    title: 'Requests',
    cell: ({ calls, failedCalls }) =>
      failedCalls === 0
        ? NUMBER.format(calls)
        : `${NUMBER.format(calls)} (${NUMBER.format(failedCalls)} failed)`,
    isNumber: true,
  },
  { title: 'In', cell: ({ inputTokens }) => NUMBER.format(inputTokens), isNumber: true },
  { title: 'Out', cell: ({ outputTokens }) => NUMBER.format(outputTokens), isNumber: true },
];

/** The items, and the sum of them where there are several. */
function linesOf({
  items,
  totals,
}: {
  readonly items: readonly UsageItem[];
  readonly totals: Spent;
}): readonly Line[] {
  const lines = items.map((item) => ({ ...item, isSum: false }));
  return items.length < 2 ? lines : [...lines, { ...totals, role: '', model: '', isSum: true }];
}
