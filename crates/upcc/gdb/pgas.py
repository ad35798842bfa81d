# Support for UPC programs of pgas-upcc in gdb: pointers-to-shared are printed as thread, phase and offset, shared
# objects by element, and the threads of a program, which are processes, can be told apart. Load it with
# "source .../pgas.py", or "gdb -x .../pgas.py PROGRAM"; "help upc" lists the commands.
import os
import re

import gdb
import gdb.printing

# As in pgas_upcr.h.
SHIFT = 36
FIRST = 256
OFFSET = (1 << SHIFT) - 1


def thread_of(address):
    return (address >> SHIFT) - FIRST


def variable(name):
    """An int of the runtime, in the current inferior."""
    return int(gdb.parse_and_eval("*(int *)&%s" % name))


class PointerToShared:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        address = int(self.value["addr"])
        if address == 0:
            return "<null>"
        text = "<thread %d" % thread_of(address)
        if int(self.value["phase"]):
            text += ", phase %d" % int(self.value["phase"])
        return text + ", offset 0x%x>" % (address & OFFSET)


class SharedObject:
    """An object with static storage duration: where its elements are, and of which type."""

    def __init__(self, name):
        try:
            # The one of this file, should several have static objects of this name.
            reference = gdb.lookup_symbol("upcr_ref_" + name)[0]
        except gdb.error:
            reference = None
        reference = reference or gdb.lookup_static_symbol("upcr_ref_" + name)
        if reference is None:
            raise gdb.GdbError("no shared object '%s', or its file was compiled without -g" % name)
        pointer = reference.value()
        self.type = pointer.type.unqualified().strip_typedefs().target()
        self.fields = pointer.cast(gdb.lookup_type("struct upcr_object").pointer()).dereference()
        self.is_array = int(self.fields["elements"]) > 1 or int(self.fields["per_thread"]) != 0

    def threads(self):
        return variable("upcr_threads")

    def length(self):
        elements = int(self.fields["elements"])
        return elements * self.threads() if int(self.fields["per_thread"]) else elements

    def address(self, index):
        base, size = int(self.fields["addr"]), int(self.fields["elem_bytes"])
        block = int(self.fields["block"])
        if block == 0:
            return base + index * size
        row, thread = divmod(index // block, self.threads())
        return base + (thread << SHIFT) + (row * block + index % block) * size

    def element(self, index):
        pointer = gdb.Value(self.address(index)).cast(self.type.pointer())
        return pointer.dereference()


class Upc(gdb.Command):
    """UPC programs: shared data and threads."""

    def __init__(self):
        super().__init__("upc", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)


class UpcPrint(gdb.Command):
    """Print shared data: upc print NAME, or upc print NAME[INDEX].
Elements of an array of several dimensions are counted through, row by row. INDEX is any expression."""

    def __init__(self):
        super().__init__("upc print", gdb.COMMAND_DATA, gdb.COMPLETE_SYMBOL)

    def invoke(self, argument, from_tty):
        match = re.fullmatch(r"\s*(\w+)\s*(?:\[(.*)\])?\s*(.*)", argument, re.S)
        if match is None or match.group(3):
            raise gdb.GdbError("expected a name, or NAME[INDEX]: upc print %s" % argument)
        name, index = match.group(1), match.group(2)
        shared = SharedObject(name)
        if int(shared.fields["addr"]) == 0:
            raise gdb.GdbError("the program has not started: '%s' has no place yet" % name)
        if index is not None:
            number = int(gdb.parse_and_eval(index))
            if not 0 <= number < shared.length():
                raise gdb.GdbError("%s has elements 0 to %d" % (name, shared.length() - 1))
            self.show("%s[%d]" % (name, number), shared, number)
        elif not shared.is_array:
            self.show(name, shared, 0)
        else:
            limit = gdb.parameter("print elements") or shared.length()
            for number in range(min(shared.length(), limit)):
                self.show("%s[%d]" % (name, number), shared, number)
            if shared.length() > limit:
                gdb.write("... %d elements in all\n" % shared.length())

    def show(self, label, shared, number):
        value = shared.element(number).format_string()
        gdb.write("%s = %s  (thread %d)\n" % (label, value, thread_of(shared.address(number))))


class UpcPointer(gdb.Function):
    """A private pointer to an element of a shared object: $upc("NAME", INDEX), or $upc("NAME").
So print *$upc("a", 5) + 1, or set var *$upc("flag") = 1."""

    def __init__(self):
        super().__init__("upc")

    def invoke(self, name, index=0):
        shared = SharedObject(name.string())
        return gdb.Value(shared.address(int(index))).cast(shared.type.pointer())


def is_upc_thread(process):
    """Whether this process was forked by the one that the program began as."""
    try:
        with open("/proc/%d/stat" % process) as file:
            parent = int(file.read().rpartition(")")[2].split()[1])
        return os.readlink("/proc/%d/exe" % process) == os.readlink("/proc/%d/exe" % parent)
    except OSError:
        return False


def upc_threads():
    """Numbers of the UPC threads under gdb, each with its first thread in gdb's sense; that becomes the selected one."""
    for inferior in gdb.inferiors():
        if inferior.pid and inferior.threads() and is_upc_thread(inferior.pid):
            inferior.threads()[-1].switch()
            yield variable("upcr_mythread"), inferior.threads()[-1]


class UpcThreads(gdb.Command):
    """List the UPC threads that gdb has stopped, and where they are."""

    def __init__(self):
        super().__init__("upc threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        current = gdb.selected_thread()
        found = sorted(upc_threads(), key=lambda pair: pair[0])
        for number, thread in found:
            thread.switch()
            where = gdb.execute("frame", to_string=True).splitlines()[0]
            mark = "*" if thread == current else " "
            gdb.write("%s thread %d, process %d: %s\n" % (mark, number, thread.ptid[0], where))
        if current is not None:
            current.switch()
        if not found:
            gdb.write("No UPC threads; 'upc follow' before 'run', or 'upc attach PROCESS THREAD'.\n")


class UpcThread(gdb.Command):
    """Switch to a UPC thread that gdb has stopped: upc thread NUMBER."""

    def __init__(self):
        super().__init__("upc thread", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        wanted = int(gdb.parse_and_eval(argument))
        current = gdb.selected_thread()
        for number, _ in upc_threads():
            if number == wanted:
                gdb.execute("frame")
                return
        if current is not None:
            current.switch()
        raise gdb.GdbError("UPC thread %d is not under gdb" % wanted)


class UpcFollow(gdb.Command):
    """Have all UPC threads of the program that is run next under gdb; they stop together."""

    def __init__(self):
        super().__init__("upc follow", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        gdb.execute("set detach-on-fork off")
        gdb.execute("set schedule-multiple on")
        gdb.execute("set follow-fork-mode parent")


class UpcAttach(gdb.Command):
    """Attach to a UPC thread of a running program: upc attach PROCESS THREAD.
PROCESS is the number of the process that was started, whose children are the threads."""

    def __init__(self):
        super().__init__("upc attach", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if len(words) != 2:
            raise gdb.GdbError("expected: upc attach PROCESS THREAD")
        path = "/proc/%s/task/%s/children" % (words[0], words[0])
        try:
            with open(path) as file:
                children = file.read().split()
        except OSError as error:
            raise gdb.GdbError("no process %s: %s" % (words[0], error))
        number = int(words[1])
        if not 0 <= number < len(children):
            raise gdb.GdbError("process %s has %d threads" % (words[0], len(children)))
        # They were started in this order.
        gdb.execute("attach %s" % children[number])


def printers():
    collection = gdb.printing.RegexpCollectionPrettyPrinter("pgas")
    collection.add_printer("pointer-to-shared", "^upcr_pts$", PointerToShared)
    return collection


for command in (Upc, UpcPrint, UpcThreads, UpcThread, UpcFollow, UpcAttach, UpcPointer):
    command()
gdb.printing.register_pretty_printer(None, printers(), replace=True)
