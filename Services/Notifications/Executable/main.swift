import Notifications

await Notifications.program.run()
