/**
 * A stream that is heard: `hear` gets each value as it passes, `end` is called once when it has ended, was left or has failed. Read as
 * fast as whoever reads the result, and no faster.
 */
export function heard<T>(
  stream: ReadableStream<T>,
  hear: (value: T) => void,
  end: () => void,
): ReadableStream<T> {
  const reader = stream.getReader();
  let isOver = false;
  const over = () => {
    if (!isOver) {
      isOver = true;
      end();
    }
  };
  return new ReadableStream<T>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            over();
            controller.close();
          } else {
            hear(value);
            controller.enqueue(value);
          }
        } catch (error) {
          over();
          controller.error(error);
        }
      },
      async cancel(reason) {
        over();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
