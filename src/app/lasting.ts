import { type EventObject, fromCallback, type NonReducibleUnknown } from 'xstate';

/** An adapter behind a lasting port: what it is told, and how it is let go. */
interface Opened<Command> {
  send: (command: Command) => void;
  close: () => void;
}

/** A lasting port as an actor: opened with the actor's input, told what the machine sends, closed with the actor; what it reports goes to the machine. */
export const lasting = <Command extends EventObject, Input extends NonReducibleUnknown = NonReducibleUnknown>(
  open: (report: (fact: EventObject) => void, input: Input) => Opened<Command>,
) =>
  fromCallback<Command, Input>(({ input, sendBack, receive }) => {
    const { send, close } = open(sendBack, input);
    receive(send);
    return close;
  });
