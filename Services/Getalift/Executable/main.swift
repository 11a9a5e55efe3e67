import Getalift

await Getalift.program.run()
