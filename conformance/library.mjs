/** The parts of this package that the cases are about, from its build. */
export async function builtLibrary() {
  const part = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
  const [math, trajectory, embedding, space, metrics] = await Promise.all([
    part('math/index.js'),
    part('trajectory/index.js'),
    part('embedding/index.js'),
    part('space/index.js'),
    part('metrics/index.js'),
  ]);
  return { math, trajectory, embedding, space, metrics };
}
