/** Runs a built program once with each list of arguments, and prints the outcomes as JSON: node runs-in-turn.mjs PROGRAM RUNS */
const [program, runs] = process.argv.slice(2);
const { runStrata } = await import(program);
const outcomes = [];
for (const args of JSON.parse(runs)) outcomes.push(await outcomeOf(args));
process.stdout.write(JSON.stringify(outcomes));

async function outcomeOf(args) {
  const output = { stdout: '', stderr: '' };
  const restore = ['stdout', 'stderr'].map((name) => caught(process[name], (text) => (output[name] += text)));
  try {
    return { code: await runStrata(args), ...output };
  } finally {
    for (const each of restore) each();
  }
}

function caught(stream, take) {
  const { write } = stream;
  stream.write = (text) => {
    take(text);
    return true;
  };
  return () => (stream.write = write);
}
