import Payments

await Payments.program.run()
