/** A share as a bar and as a number; with the interval that it lies in, where there is one. */
export function Confidence({
  value,
  interval,
}: {
  readonly value: number;
  readonly interval?: { readonly lower: number; readonly upper: number };
}) {
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  const range = interval && `${percent(interval.lower)} to ${percent(interval.upper)}`;
  return (
    <span class="confidence" title={range ?? ''}>
      <svg
        class="confidence-bar"
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <rect class="confidence-track" width="100" height="8" rx="2" />
        <rect class="confidence-value" width={value * 100} height="8" rx="2" />
        {interval && (
          <path class="confidence-interval" d={`M${interval.lower * 100} 4H${interval.upper * 100}`} />
        )}
      </svg>
      <span class="number">{percent(value)}</span>
    </span>
  );
}
