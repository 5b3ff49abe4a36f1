import { render } from 'preact';

import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/shell.css';

import { App } from './app/app.tsx';

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element to stand in');
render(<App />, root);
