import { dot, plot } from '@observablehq/plot';
import { render } from 'preact';
render(<p>{plot({ marks: [dot([[1, 2]])] }).outerHTML}</p>, document.getElementById('app')!);
