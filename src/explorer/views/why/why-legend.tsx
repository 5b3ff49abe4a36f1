/** What the lines of the drawing say. */
const LINES = [
  ['why-line-for', '+ speaks for, with its weight'],
  ['why-line-against', '− speaks against'],
  ['why-line-rests', 'is made of'],
  ['why-line-part', 'words of, or part of'],
] as const;

/** How the drawing is to be read. */
export function WhyLegend() {
  return (
    <ul class="why-legend small soft">
      {LINES.map(([look, says]) => (
        <li key={look}>
          <svg viewBox="0 0 40 10" focusable="false">
            <path class={look} d="M2 5H38" />
          </svg>
          {says}
        </li>
      ))}
      <li>Arrows lead to what rests on something. Twice on a record shows its neighbours.</li>
    </ul>
  );
}
