import { VIEWS } from '../views/registry.ts';
import { viewOf } from './current-view.tsx';
import { address, linkTo } from './location.ts';

/** The way to all views. */
export function Navigation() {
  const current = viewOf(address.value.view);
  return (
    <nav class="navigation" aria-label="Views">
      <ul>
        {VIEWS.map(({ path, title }) => (
          <li key={path}>
            <a href={linkTo(path)} aria-current={current?.path === path ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
        <li class="navigation-apart">
          <a href="/graphql">GraphQL IDE</a>
        </li>
      </ul>
    </nav>
  );
}
