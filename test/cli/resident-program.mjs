/**
 * `node resident-program.mjs PROGRAM` runs the built program with each list of arguments that the parent sends, and
 * sends back the outcome.
 */
const { runStrata } = await import(process.argv[2]);
const streams = ['stdout', 'stderr'];

process.on('message', async (args) => process.send(await outcomeOf(args)));
process.send('ready');

async function outcomeOf(args) {
  const output = Object.fromEntries(streams.map((name) => [name, '']));
  const restore = streams.map((name) => caught(process[name], (text) => (output[name] += text)));
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
