import ArgumentParser
import Foundation
import Subprocess
import SystemPackage

/// `openvalet guard`: runs a program, and ends it when standard input closes.
struct Guard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a program, and ends it with its supervisor.", shouldDisplay: false)

    /// How long the program may take to stop by itself.
    private static let grace: Duration = .seconds(5)

    @Argument(parsing: .captureForPassthrough)
    var command: [String]

    func run() async throws {
        guard let program = command.first else { throw ValidationError("Name a program.") }
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: Self.grace)]
        let executable: Executable =
            program.contains("/") ? .path(FilePath(program)) : .name(program)
        let arguments = Arguments(Array(command.dropFirst()))
        let code = try await withThrowingTaskGroup(of: Int32?.self) { group in
            group.addTask { [options] in
                let result = try await Subprocess.run(
                    executable, arguments: arguments, platformOptions: options,
                    output: .currentStandardOutput, error: .currentStandardError)
                if case .exited(let code) = result.terminationStatus { return code }
                return 1
            }
            group.addTask {
                await Stop.requested()
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            return first
        }
        throw ExitCode(code ?? 0)
    }
}
